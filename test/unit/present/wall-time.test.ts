import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  formatOffset,
  fromFieldText,
  instantOf,
  startOfDay,
  toFieldText,
  wallTimeOf,
} from '@/lib/present/wall-time';

const HOUR = 3_600_000;
const at = (iso: string): number => Date.parse(iso);

describe('days follow the zone', () => {
  it.each([
    ['Asia/Tokyo', '2026-11-30T20:00:00Z', '2026-11-30T15:00:00Z'],
    ['Asia/Tokyo', '2026-11-30T14:59:59Z', '2026-11-29T15:00:00Z'],
    ['America/Los_Angeles', '2026-11-30T07:30:00Z', '2026-11-29T08:00:00Z'],
    ['America/Los_Angeles', '2026-11-30T08:00:00Z', '2026-11-30T08:00:00Z'],
    ['UTC', '2026-11-30T23:59:59Z', '2026-11-30T00:00:00Z'],
    ['Asia/Kathmandu', '2026-11-30T18:15:00Z', '2026-11-30T18:15:00Z'],
  ])('start of day in %s at %s', (tz, instant, start) => {
    expect(new Date(startOfDay(at(instant), tz)).toISOString()).toBe(new Date(at(start)).toISOString());
  });

  it.each([
    // Clocks go forward: the day has 23 hours. They go back: 25.
    ['Europe/Berlin', '2026-03-29T10:00:00Z', 23],
    ['Europe/Berlin', '2026-10-25T10:00:00Z', 25],
    ['America/Los_Angeles', '2026-03-08T20:00:00Z', 23],
    ['America/Los_Angeles', '2026-11-01T20:00:00Z', 25],
    ['Asia/Tokyo', '2026-03-29T10:00:00Z', 24],
  ])('a day in %s at %s has %d hours', (tz, instant, hours) => {
    const start = startOfDay(at(instant), tz);
    expect((addDays(start, 1, tz) - start) / HOUR).toBe(hours);
    expect(addDays(addDays(start, 1, tz), -1, tz)).toBe(start);
  });

  it('starts a day whose midnight does not exist at its first instant', () => {
    // Beirut goes forward at midnight.
    const start = startOfDay(at('2026-03-29T12:00:00Z'), 'Asia/Beirut');
    expect(wallTimeOf(start, 'Asia/Beirut').day).toBe(29);
    expect(wallTimeOf(start - 1, 'Asia/Beirut').day).toBe(28);
  });
});

describe('wall time and instants', () => {
  it('takes the first of two equal wall times', () => {
    const wall = { year: 2026, month: 10, day: 25, hour: 2, minute: 30, second: 0 };
    expect(new Date(instantOf(wall, 'Europe/Berlin')).toISOString()).toBe('2026-10-25T00:30:00.000Z');
  });

  it('moves a wall time that does not exist forward by the gap', () => {
    const wall = { year: 2026, month: 3, day: 29, hour: 2, minute: 30, second: 0 };
    expect(new Date(instantOf(wall, 'Europe/Berlin')).toISOString()).toBe('2026-03-29T01:30:00.000Z');
  });

  it('reads back what it wrote, outside of repeated hours', () => {
    const zones = ['UTC', 'Asia/Tokyo', 'America/Los_Angeles', 'Europe/Berlin', 'Asia/Kolkata'];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 33_000_000 }), fc.constantFrom(...zones), (minutes, tz) => {
        const instant = minutes * 60_000;
        const back = fromFieldText(toFieldText(instant, tz), tz);
        expect([instant, instant - HOUR]).toContain(back);
      }),
    );
  });

  it.each(['', 'x', '2026-02-30T10:00', '2026-13-01T10:00', '2026-01-01T24:00', '2026-01-01T10:60', '2026-01-01'])(
    'refuses %j',
    (text) => {
      expect(fromFieldText(text, 'UTC')).toBeNull();
    },
  );

  it('names the offset', () => {
    const now = at('2026-11-30T00:00:00Z');
    expect(formatOffset(now, 'UTC')).toBe('UTC');
    expect(formatOffset(now, 'Asia/Tokyo')).toBe('UTC+09:00');
    expect(formatOffset(now, 'America/Los_Angeles')).toBe('UTC−08:00');
    expect(formatOffset(now, 'Asia/Kathmandu')).toBe('UTC+05:45');
  });
});
