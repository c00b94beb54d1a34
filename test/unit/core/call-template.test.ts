import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { templateCall } from '@/lib/core/call-template';

describe('templateCall', () => {
  it.each([
    ['an integer', 'GET /orders/123', 'GET /orders/{id}'],
    ['without a verb', '/orders/123', '/orders/{id}'],
    ['without a leading slash', 'orders/123/items/4', 'orders/{id}/items/{id}'],
    ['a negative integer', '/chats/-100200300', '/chats/{id}'],
    ['a telephone number', '/contacts/+79991234567', '/contacts/{id}'],
    ['a list of integers', '/orders/1,2,3', '/orders/{id}'],
    ['a trailing slash', '/orders/123/', '/orders/{id}/'],
    ['a UUID', 'DELETE /v1/jobs/0197f0aa-9d5e-7c41-8a10-3b1f0f6f2a11', 'DELETE /v1/jobs/{id}'],
    ['a UUID in capitals', '/jobs/0197F0AA-9D5E-7C41-8A10-3B1F0F6F2A11', '/jobs/{id}'],
    ['a UUID without hyphens', '/jobs/0197f0aa9d5e7c418a103b1f0f6f2a11', '/jobs/{id}'],
    ['an object id', '/users/507f1f77bcf86cd799439011', '/users/{id}'],
    ['a commit', '/commits/9fceb02d0ae598e95dc970b74767f19372d61af8', '/commits/{id}'],
    ['a ULID', '/events/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/events/{id}'],
    ['a ULID in small letters', '/events/01arz3ndektsv4rrffq69g5fav', '/events/{id}'],
    ['a prefixed token', 'POST /v1/charges/ch_3MqZlQ2eZvKYlo2C0XyZ12ab/capture', 'POST /v1/charges/{id}/capture'],
    ['a nanoid', '/boards/V1StGXR8_Z5jdHi6B-myT', '/boards/{id}'],
    ['a cuid', '/boards/cjld2cjxh0000qzrmn831i7rn', '/boards/{id}'],
    ['padded base64', '/blobs/Zm9vYmFyMTIzNDU2Nzg5MA==', '/blobs/{id}'],
    ['an e-mail address', '/users/ivan.petrov@example.com/roles', '/users/{id}/roles'],
    ['an encoded e-mail address', '/users/ivan%40example.com', '/users/{id}'],
    ['a word and a long number', '/invoices/inv-2024001', '/invoices/inv-{id}'],
    ['an ending', '/orders/123.json', '/orders/{id}.json'],
    ['a verb behind a colon', '/v1/jobs/123:cancel', '/v1/jobs/{id}:cancel'],
    ['a key of OData', '/odata/Orders(123)/Lines', '/odata/Orders({id})/Lines'],
    ['an absolute URL', 'GET https://api.example.com:8443/orders/123', 'GET https://api.example.com:8443/orders/{id}'],
    ['values of a query', 'GET /orders?id=123&page=2&sort=asc', 'GET /orders?id={id}&page={id}&sort=asc'],
    ['a query behind a method', 'crm.deal.get?id=123', 'crm.deal.get?id={id}'],
  ])('%s', (_name, call, template) => {
    expect(templateCall(call)).toBe(template);
  });

  it.each([
    'crm.deal.add',
    'crm.item.batchImport2',
    'POST /v1/transcriptions',
    'GET /api/v2/orders/{id}',
    'GET /orders/:id',
    'GET /rest/api/2/issue',
    'GET /admin/api/2024-10/orders.json',
    '/package.v1.Orders/CreateOrder',
    '/oauth2/token',
    '/hash/sha-256',
    '/s3/list-objects-v2',
    '/rpc/createOAuth2TokenForUser',
    '/rpc/ListBase64Objects',
    '/rpc/getS3V2Ec2Instances',
    '/feedface/deadbeef',
    '/packages/@scope/name',
    '/packages/lodash@4.17.21',
    'https://user1@example.com/orders',
    'http://10.0.0.1:8080/orders',
    'POST /api?method=crm.deal.add',
    'order 123',
    '',
    '/',
  ])('%j stays as it is', (call) => {
    expect(templateCall(call)).toBe(call);
  });

  it('takes a moment for the longest texts', () => {
    const texts = [
      '/'.repeat(20_000),
      '/a%40'.repeat(5_000),
      `/${'%40a.'.repeat(5_000)}1`,
      `/1${':a.a'.repeat(5_000)}`,
    ];
    const began = performance.now();
    for (const text of texts) templateCall(text);
    expect(performance.now() - began).toBeLessThan(500);
  });

  it('knows two versions of an API apart, and no more than versions', () => {
    expect(templateCall('/rest/api/3/issue')).not.toBe(templateCall('/rest/api/2/issue'));
    expect(templateCall('/rest/api/20240/issue')).toBe('/rest/api/{id}/issue');
  });

  const id = fc.oneof(
    fc.uuid(),
    fc.ulid(),
    fc.nat().map(String),
    fc
      .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 24, maxLength: 40 })
      .filter((hex) => (hex.match(/\d/g)?.length ?? 0) > 1),
  );
  const word = fc.constantFrom(
    'orders',
    'v1',
    'items',
    'crm.deal.add',
    'createOrder',
    'batch2',
    'search',
    '{id}',
    ':id',
  );
  const path = fc.array(fc.oneof(word, id, fc.string()), { maxLength: 6 }).map((parts) => `POST /${parts.join('/')}`);
  const query = fc.array(fc.tuple(fc.string(), fc.oneof(word, id, fc.string())), { maxLength: 3 });
  const call = fc
    .tuple(path, query)
    .map(([text, pairs]) => (pairs.length > 0 ? `${text}?${pairs.map((pair) => pair.join('=')).join('&')}` : text));

  it('is idempotent, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(call, fc.string()), (text) => {
        const once = templateCall(text);
        expect(templateCall(once)).toBe(once);
      }),
    );
  });

  it('joins calls that differ in ids only', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('orders', 'items', 'users'), id, id), { minLength: 1 }),
        (parts) => {
          const of = (side: 1 | 2): string => parts.map((part) => `/${part[0]}/${part[side]}`).join('');
          expect(templateCall(of(1))).toBe(templateCall(of(2)));
        },
      ),
    );
  });

  it('keeps names of methods apart, whatever they are made of', () => {
    const part = fc
      .array(fc.constantFrom('get', 'Deal', 'Order', 'By', 'Email', 'V2', 'oauth2', '-', '_', 'Export', 'add', '3d'), {
        minLength: 1,
        maxLength: 6,
      })
      .map((words) => words.join(''))
      .filter((name) => /[A-Za-z]{3}/.test(name) && (name.match(/\d+/g)?.length ?? 0) < 3);
    const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(templateCall(one)).toBe(one);
        expect(templateCall(`POST /rest/${one}`) === templateCall(`POST /rest/${other}`)).toBe(one === other);
      }),
    );
  });
});
