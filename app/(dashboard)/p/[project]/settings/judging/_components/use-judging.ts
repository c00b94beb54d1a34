import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { applyChange } from '@/lib/core/settings-change';
import {
  EMPTY_DRAFT,
  hasFaults,
  listJudgingChanges,
  readDraft,
  type JudgingChange,
  type JudgingDraft,
  type JudgingView,
  type ReadDraft,
} from '@/lib/present/judging-draft';
import type { ProjectSettingsView } from '@/lib/queries/views';
import { saveSettings, startRecompute, type Refusal } from './settings-api';

/** How the last save ended. */
export type SaveNote = { kind: 'saved' | 'savedOnly' | 'nothing' } | Refusal;

export interface Judging {
  draft: JudgingDraft;
  change: (part: Partial<JudgingDraft>) => void;
  read: ReadDraft;
  /** Something differs from what holds, or can't be read. */
  dirty: boolean;
  faulty: boolean;
  /** What the typed would change, in words of old and new. */
  mine: JudgingChange[];
  /** What somebody else changed since this person looked; empty when nothing. */
  theirs: JudgingChange[];
  acknowledge: () => void;
  discard: () => void;
  busy: boolean;
  note: SaveNote | null;
  save: () => Promise<boolean>;
}

function changed(view: JudgingView, read: ReadDraft): JudgingView {
  const { settings, profiles, ruleSets } = applyChange(
    { settings: view.settings, profiles: view, ruleSets: view.ruleSets },
    read.change,
  );
  return { ...view, ...profiles, settings, ruleSets };
}

/**
 * A draft over what holds. It keeps only what was touched, so that newer settings show up around it and never take it
 * away; a save names the version its author has looked at, so that nobody overwrites what they have not seen.
 */
export function useJudging(slug: string, view: ProjectSettingsView): Judging {
  const router = useRouter();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [seen, setSeen] = useState(view);
  const [busy, setBusy] = useState(false);
  const [note, setNote] = useState<SaveNote | null>(null);
  const read = readDraft(draft, view);
  const faulty = hasFaults(read);
  const dirty = read.changes > 0 || faulty;
  // With nothing typed there is nothing to lose: what is on the screen is what was seen.
  if (!dirty && !busy && seen.version < view.version) setSeen(view);
  useEffect(() => {
    if (!dirty) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [dirty]);

  const save = async (): Promise<boolean> => {
    if (read.changes === 0) {
      setNote({ kind: 'nothing' });
      return true;
    }
    setBusy(true);
    const answer = await saveSettings(slug, seen.version, read.change);
    const started = answer.kind === 'done' ? await startRecompute(slug) : null;
    setBusy(false);
    setNote(answer.kind !== 'done' ? answer : { kind: isUnderWay(started) ? 'saved' : 'savedOnly' });
    if (answer.kind === 'done') setDraft(EMPTY_DRAFT);
    if (answer.kind !== 'offline' && answer.kind !== 'signed_out') router.refresh();
    return answer.kind === 'done';
  };
  return {
    draft,
    change: (part) => {
      setNote(null);
      setDraft((now) => ({ ...now, ...part }));
    },
    read,
    dirty,
    faulty,
    mine: listJudgingChanges(view, changed(view, read)),
    theirs: seen.version < view.version ? listJudgingChanges(seen, view) : [],
    acknowledge: () => {
      setSeen(view);
      setNote(null);
    },
    discard: () => {
      setDraft(EMPTY_DRAFT);
      setNote(null);
    },
    busy,
    note,
    save,
  };
}

/** A recomputation that runs already starts over by itself under the new settings; a preview does not. */
function isUnderWay(started: Awaited<ReturnType<typeof startRecompute>> | null): boolean {
  return started?.kind === 'done' || (started?.kind === 'running' && started.job?.mode === 'apply');
}
