export { decodeAttempt, decodeFact } from '@/db/queries/stored-fact';
