import { describe, expect, it } from 'vitest';
import type { Profile } from '@/lib/core/attempt';
import { resolveKind, type KindSource } from '@/lib/core/kind';
import { resolveProfile, serverKeyOf } from '@/lib/core/profile';
import { attempt } from './support/event';

describe('resolveKind', () => {
  const rows: [Profile, KindSource, 'read' | 'write'][] = [
    ['http', { kind: 'READ', method: 'POST' }, 'read'],
    ['http', { kind: ' Write ', method: 'GET' }, 'write'],
    ['http', { kind: 'delete', method: 'GET' }, 'write'],
    ['http', { kind: 7, method: 'GET' }, 'write'],
    ['http', { kind: null, method: 'GET' }, 'read'],
    ['http', { method: 'head' }, 'read'],
    ['http', { method: 'PUT' }, 'write'],
    ['http', { call: 'GET /orders' }, 'read'],
    ['http', { call: 'orders.list' }, 'write'],
    ['http', {}, 'write'],
    ['quillhub', { call: 'GET /v1/transcriptions' }, 'read'],
    ['quillhub', { call: 'POST /v1/transcriptions' }, 'write'],
    ['vibecode', { call: 'GET /v1/deals/7' }, 'read'],
    ['vibecode', { call: 'POST /v1/deals/search' }, 'read'],
    ['vibecode', { call: 'POST /v1/batch' }, 'write'],
    ['vibecode', { call: 'GET /rest/1/crm.deal.add' }, 'write'],
    ['vibecode', { call: 'GET crm.deal.add' }, 'write'],
    ['vibecode', { call: 'deals', method: 'GET' }, 'write'],
    ['vibecode', { call: 'crm.deal.list' }, 'read'],
    ['bitrix_rest', { call: 'crm.deal.add', method: 'GET' }, 'write'],
    ['bitrix_rest', { call: 'CRM.DEAL.LIST' }, 'read'],
    ['bitrix_rest', { call: 'GET /rest/1/crm.deal.get.json?id=1' }, 'read'],
    ['bitrix_rest', { call: 'crm.deal.register' }, 'write'],
    ['bitrix_rest', { call: 'batch' }, 'write'],
  ];
  it.each(rows)('%s %j is a %s', (profile, source, kind) => expect(resolveKind(source, profile)).toBe(kind));
});

describe('resolveProfile', () => {
  const context = {
    defaultProfile: 'http' as const,
    targets: [
      { pattern: '*.bitrix24.tech', profile: 'vibecode' as const },
      { pattern: 'api.quillhub.ai', profile: 'quillhub' as const },
      { pattern: '', profile: 'bitrix_rest' as const },
    ],
  };
  it.each([
    ['vibecode.bitrix24.tech', 'vibecode'],
    ['https://Vibecode.Bitrix24.tech/v1/deals', 'vibecode'],
    ['bitrix24.tech.evil.example', 'http'],
    ['api.quillhub.ai', 'quillhub'],
    ['', 'http'],
    [undefined, 'http'],
  ])('%s goes by %s', (target, profile) => expect(resolveProfile({ target }, context)).toBe(profile));
  it('a declared profile wins', () => {
    expect(resolveProfile({ profile: 'http', target: 'api.quillhub.ai' }, context)).toBe('http');
  });
  it('stays quick on hostile patterns', () => {
    const targets = [{ pattern: '*a'.repeat(200), profile: 'vibecode' as const }];
    expect(resolveProfile({ target: 'b'.repeat(5_000) }, { defaultProfile: 'http', targets })).toBe('http');
  });
});

describe('serverKeyOf', () => {
  const keyed = (fields: Parameters<typeof attempt>[0], mode?: 'server' | 'client_dedupe' | 'none') =>
    attempt({ idempotency: { keyHash: 'h', mode }, ...fields });
  it("takes the profile's promise, lowered but never raised by the sender", () => {
    expect(serverKeyOf(keyed({}), 'http')).toBe('h');
    expect(serverKeyOf(keyed({}, 'none'), 'http')).toBeNull();
    expect(serverKeyOf(keyed({}, 'server'), 'vibecode')).toBeNull();
    expect(serverKeyOf(keyed({}, 'server'), 'quillhub')).toBeNull();
    expect(serverKeyOf(keyed({ call: 'crm.deal.add' }), 'bitrix_rest')).toBeNull();
    expect(serverKeyOf(keyed({ call: 'POST /rest/api/crm.deal.add' }), 'bitrix_rest')).toBe('h');
    expect(serverKeyOf(attempt({ idempotency: { keyHash: '' } }), 'http')).toBeNull();
  });

  it('reads the verb of the entity API beside its path too', () => {
    const kind = (method: string, call: string) => resolveKind({ method, call }, 'vibecode');
    expect(kind('GET', '/v1/deals')).toBe('read');
    expect(kind('get', '/v1/deals/7')).toBe('read');
    expect(kind('POST', '/v1/deals/search')).toBe('read');
    expect(kind('POST', '/v1/deals')).toBe('write');
    expect(kind('PATCH', '/v1/deals/7')).toBe('write');
    expect(kind('GET', '/rest/1/batch')).toBe('write');
    expect(kind('GET', 'crm.deal.add')).toBe('write');
  });
});
