import { useLocale } from 'next-intl';
import { ACTION_COLOR } from '@/lib/present/theme';
import { formatDuration } from '@/lib/present/duration';
import type { FactRow, SendRow, TimelineModel } from '@/lib/present/timeline-model';
import type { Tick } from '@/lib/present/timeline-scale';
import classes from './timeline.module.css';

/** Patterns are told by id across all strips of the page; two timelines on one page would hold the same ones. */
const UNKNOWN_PATTERN = 'timeline-unknown';
const UNKEPT_PATTERN = 'timeline-unkept';
const BREAK_PATTERN = 'timeline-break';

const STRIP_HEIGHT = 26;

/** Room at both ends, so that the last bar's least width and an open end's tail are seen. */
const x = (position: number): string => `${(1 + position * 95).toFixed(3)}%`;
const width = (from: number, to: number): string => `${(Math.max(0, to - from) * 95).toFixed(3)}%`;

export function TimelinePatterns() {
  return (
    <svg className={classes.patterns} width="0" height="0" aria-hidden="true" focusable="false">
      <defs>
        <pattern id={UNKNOWN_PATTERN} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line className={classes.unknownLine} x1="0" y1="0" x2="0" y2="6" strokeWidth="3" />
        </pattern>
        <pattern id={UNKEPT_PATTERN} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
          <line className={classes.unkeptLine} x1="0" y1="0" x2="0" y2="5" strokeWidth="1.5" />
        </pattern>
        <pattern id={BREAK_PATTERN} width="8" height={STRIP_HEIGHT} patternUnits="userSpaceOnUse">
          <path
            className={classes.breakLine}
            d={`M2 0 l4 ${STRIP_HEIGHT / 4} l-4 ${STRIP_HEIGHT / 4} l4 ${STRIP_HEIGHT / 4} l-4 ${STRIP_HEIGHT / 4}`}
          />
        </pattern>
      </defs>
    </svg>
  );
}

function Backdrop({ model }: { model: TimelineModel }) {
  return (
    <>
      {model.ticks.map((tick) => (
        <line key={tick.elapsedMs} className={classes.grid} x1={x(tick.x)} x2={x(tick.x)} y1="0" y2={STRIP_HEIGHT} />
      ))}
      {model.breaks.map((gap) => (
        <g key={gap.x0}>
          <rect className={classes.break} x={x(gap.x0)} width={width(gap.x0, gap.x1)} y="0" height={STRIP_HEIGHT} />
          <rect
            x={x(gap.x0)}
            width={width(gap.x0, gap.x1)}
            y="0"
            height={STRIP_HEIGHT}
            fill={`url(#${BREAK_PATTERN})`}
          />
        </g>
      ))}
    </>
  );
}

function tickAnchor(tick: Tick): 'start' | 'middle' | 'end' {
  if (tick.x < 0.04) return 'start';
  return tick.x > 0.93 ? 'end' : 'middle';
}

/** Elapsed time above the rows. The words beside each row carry the same, so it is for eyes only. */
export function AxisStrip({ model }: { model: TimelineModel }) {
  const locale = useLocale();
  return (
    <div className={classes.axisRow} aria-hidden="true">
      <svg className={classes.strip} width="100%" height="20" focusable="false">
        {model.ticks.map((tick) => (
          <g key={tick.elapsedMs}>
            <line className={classes.grid} x1={x(tick.x)} x2={x(tick.x)} y1="15" y2="20" />
            <text className={classes.tick} x={x(tick.x)} y="12" textAnchor={tickAnchor(tick)}>
              {tick.elapsedMs === 0 ? '0' : `+${formatDuration(tick.elapsedMs, locale)}`}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

function WaitBandShape({ row }: { row: SendRow }) {
  const { wait, next } = row;
  if (!wait) return null;
  const unkeptFrom = next?.standing === 'early' ? Math.min(Math.max(next.x, wait.x0), wait.x1) : null;
  return (
    <>
      <rect className={classes.band} x={x(wait.x0)} width={width(wait.x0, wait.x1)} y="3" height="20" />
      {unkeptFrom === null ? null : (
        <rect x={x(unkeptFrom)} width={width(unkeptFrom, wait.x1)} y="3" height="20" fill={`url(#${UNKEPT_PATTERN})`} />
      )}
      <line className={classes.bandEnd} x1={x(wait.x1)} x2={x(wait.x1)} y1="2" y2="24" />
    </>
  );
}

function NextShape({ row }: { row: SendRow }) {
  if (!row.next) return null;
  return (
    <svg x={x(row.next.x)} y="0" overflow="visible" className={classes.next} data-standing={row.next.standing}>
      <line x1="0" x2="0" y1="0" y2={STRIP_HEIGHT} />
      <path d="M-4 0 L4 0 L0 6 Z" />
    </svg>
  );
}

/** One send: its bar, the wait it was asked for, and where the next send came. */
export function SendStrip({ row, model }: { row: SendRow; model: TimelineModel }) {
  const { verdict } = row.judged;
  const tone = `var(--mantine-color-${ACTION_COLOR[verdict.action]}-6)`;
  return (
    <svg className={classes.strip} width="100%" height={STRIP_HEIGHT} aria-hidden="true" focusable="false">
      <Backdrop model={model} />
      <WaitBandShape row={row} />
      {row.openEnd ? (
        <svg x={x(row.x1)} y="0" overflow="visible">
          <line className={classes.tail} x1="3" x2="26" y1="13" y2="13" stroke={tone} />
        </svg>
      ) : null}
      <rect x={x(row.x0)} width={width(row.x0, row.x1)} y="8" height="10" fill={tone} />
      <rect x={x(row.x0)} width="4" y="8" height="10" fill={tone} />
      {verdict.unknownOutcome ? (
        <rect x={x(row.x0)} width={width(row.x0, row.x1)} y="8" height="10" fill={`url(#${UNKNOWN_PATTERN})`} />
      ) : null}
      {row.headX === null ? null : <line className={classes.head} x1={x(row.headX)} x2={x(row.headX)} y1="6" y2="20" />}
      <NextShape row={row} />
    </svg>
  );
}

/** A read-back, job result and the like: a diamond, with a line when it took time. */
export function FactStrip({ row, model }: { row: FactRow; model: TimelineModel }) {
  return (
    <svg className={classes.strip} width="100%" height={STRIP_HEIGHT} aria-hidden="true" focusable="false">
      <Backdrop model={model} />
      <line className={classes.factLine} x1={x(row.x0)} x2={x(row.x1)} y1="13" y2="13" />
      <svg x={x(row.x1)} y="0" overflow="visible">
        <path className={classes.fact} d="M0 7 L6 13 L0 19 L-6 13 Z" />
      </svg>
    </svg>
  );
}

/** A small sample of one sign for the legend. */
export function LegendSample({ sign }: { sign: 'send' | 'unknown' | 'wait' | 'next' | 'early' | 'fact' | 'break' }) {
  return (
    <svg className={classes.sample} width="28" height="20" viewBox="0 3 28 20" aria-hidden="true" focusable="false">
      {sign === 'send' || sign === 'unknown' ? (
        <rect className={classes.sampleBar} x="2" y="8" width="24" height="10" />
      ) : null}
      {sign === 'unknown' ? <rect x="2" y="8" width="24" height="10" fill={`url(#${UNKNOWN_PATTERN})`} /> : null}
      {sign === 'wait' || sign === 'early' ? (
        <rect className={classes.band} x="2" y="4" width="24" height="18" />
      ) : null}
      {sign === 'early' ? <rect x="10" y="4" width="16" height="18" fill={`url(#${UNKEPT_PATTERN})`} /> : null}
      {sign === 'next' || sign === 'early' ? (
        <svg
          x="10"
          y="0"
          overflow="visible"
          className={classes.next}
          data-standing={sign === 'early' ? 'early' : 'kept'}
        >
          <line x1="0" x2="0" y1="3" y2="23" />
          <path d="M-4 3 L4 3 L0 9 Z" />
        </svg>
      ) : null}
      {sign === 'fact' ? <path className={classes.fact} d="M14 7 L20 13 L14 19 L8 13 Z" /> : null}
      {sign === 'break' ? <rect className={classes.break} x="2" y="3" width="24" height="20" /> : null}
      {sign === 'break' ? <rect x="2" y="3" width="24" height="20" fill={`url(#${BREAK_PATTERN})`} /> : null}
    </svg>
  );
}
