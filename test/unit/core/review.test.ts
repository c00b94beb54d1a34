import { describe, expect, it } from 'vitest';
import { may, PERMISSIONS, ROLES } from '@/lib/core/permission';
import { moveReview, passReview, REVIEW_STATES, REVIEW_VERBS } from '@/lib/core/review';

describe('may', () => {
  it('lets a higher role do all that a lower one may', () => {
    for (const permission of PERMISSIONS) {
      const held = ROLES.map((role) => may(role, permission));
      expect(held, permission).toEqual([...held].sort());
    }
  });
  it('lets a viewer read and export, nothing else', () => {
    expect(PERMISSIONS.filter((p) => may('viewer', p))).toEqual(['read', 'export']);
  });
});

describe('moveReview', () => {
  const operator = { id: 'u1', role: 'operator' as const };
  it('refuses every verb to a viewer in every state', () => {
    for (const verb of REVIEW_VERBS)
      for (const state of REVIEW_STATES)
        expect(moveReview({ state, holder: null }, verb, { id: 'v', role: 'viewer' })).toEqual({
          ok: false,
          refusal: 'forbidden',
        });
  });
  it('claims an open item and refuses one that somebody else holds', () => {
    expect(moveReview({ state: 'open', holder: null }, 'claim', operator)).toEqual({ ok: true, value: 'claimed' });
    expect(moveReview({ state: 'claimed', holder: 'u2' }, 'claim', operator)).toEqual({
      ok: false,
      refusal: 'held_by_other',
    });
    expect(moveReview({ state: 'claimed', holder: 'u1' }, 'claim', operator).ok).toBe(true);
    expect(moveReview({ state: 'claimed', holder: null }, 'claim', operator).ok).toBe(true);
  });
  it('lets only the holder or a lead release', () => {
    const held = { state: 'claimed' as const, holder: 'u2' };
    expect(moveReview(held, 'release', operator)).toEqual({ ok: false, refusal: 'held_by_other' });
    expect(moveReview(held, 'release', { id: 'l', role: 'lead' })).toEqual({ ok: true, value: 'open' });
  });
  it('works no resolved item, but takes notes and reopens it', () => {
    const done = { state: 'resolved' as const, holder: null };
    expect(moveReview(done, 'resolve', operator)).toEqual({ ok: false, refusal: 'wrong_state' });
    expect(moveReview(done, 'note', operator)).toEqual({ ok: true, value: 'resolved' });
    expect(moveReview(done, 'reopen', operator)).toEqual({ ok: true, value: 'open' });
  });
});

describe('passReview', () => {
  it('moves by time and proof only from the states it names', () => {
    expect(passReview('waiting', 'grace_over')).toBe('open');
    expect(passReview('open', 'grace_over')).toBeNull();
    expect(passReview('claimed', 'lease_over')).toBe('open');
    expect(passReview('resolved', 'proof_arrived')).toBeNull();
    expect(passReview('snoozed', 'proof_arrived')).toBe('resolved');
  });
});
