export interface KeyView {
  keyId: string;
  name: string;
  scope: 'ingest' | 'read' | 'operate';
  lastFour: string;
  createdAt: number;
  createdBy: string;
  lastUsedAt: number | null;
  revokedAt: number | null;
}
