import { createReporter, type Reporter } from '@/lib/client';
import type { LabServer, Step } from '../lab-server';
import type { RunName } from './check-scenario';

/** What one client process of the check lab has to hand. */
export interface Kit {
  /** Its service, and the front of its operations' ids. */
  name: string;
  server: LabServer;
  reporter: Reporter;
  /** Where a process of its own would report to. */
  readback: { url: string; key: string };
  /** An operation's id; its requests will meet these steps in turn. */
  operation(part: string, steps: Step[]): string;
}

export interface KitSources {
  readbackUrl: string;
  ingestKey: string;
  /** Keeps the answer under an Idempotency-Key. */
  honoursKeys: LabServer;
  ignoresKeys: LabServer;
}

export type ServerName = 'honours_keys' | 'ignores_keys';

export function makeKit(name: RunName, client: string, server: ServerName, sources: KitSources): Kit {
  const own = server === 'ignores_keys' ? sources.ignoresKeys : sources.honoursKeys;
  return {
    name,
    server: own,
    reporter: createReporter({
      url: sources.readbackUrl,
      key: sources.ingestKey,
      service: name,
      instance: 'only',
      sdk: { name: client },
    }),
    readback: { url: sources.readbackUrl, key: sources.ingestKey },
    operation(part, steps) {
      const operationId = `${name}:${part}`;
      own.script(operationId, steps);
      return operationId;
    },
  };
}
