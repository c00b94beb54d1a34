'use client';

import { useEffect, useRef } from 'react';

/** What each key does, by the key's place on the keyboard (`KeyJ`, `Digit1`), so that it works under any layout. */
export type PageKeys = Readonly<Record<string, () => void>>;

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !['radio', 'checkbox', 'button', 'submit'].includes(target.type);
}

function isDialogOpen(): boolean {
  const parts = document.querySelectorAll('[role="dialog"], [role="alertdialog"], [role="menu"]');
  return [...parts].some((part) => part.checkVisibility());
}

/** `?` stands on another key in other layouts; the sign itself is what people look for. */
function nameOf(event: KeyboardEvent): string {
  return event.key === '?' ? '?' : event.code;
}

/** Single keys of a page. They rest while somebody types, while a dialog or menu is open, and under modifiers. */
export function usePageKeys(keys: PageKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (isTyping(event.target) || isDialogOpen()) return;
      const act = latest.current[nameOf(event)];
      if (!act || (event.shiftKey && event.key !== '?')) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
