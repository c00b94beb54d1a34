export * from './api-key';
export * from './auth';
export * from './event';
export * from './finding';
export * from './operation';
export * from './project';
export * from './recompute';
export * from './review';
