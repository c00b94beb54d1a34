export const ROOT: string;
export function isBuilt(): boolean;
export function build(options?: { quiet?: boolean }): Promise<boolean>;
