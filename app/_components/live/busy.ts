const TYPING =
  'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"]';
const OPEN_PARTS = '[role="dialog"], [role="menu"], [role="listbox"], [data-live-busy]';

/** Whether the reader is in the middle of something that a fresh page would disturb. */
export function isReaderBusy(page: Document): boolean {
  if (page.activeElement?.matches(TYPING)) return true;
  const selection = page.getSelection();
  if (selection && !selection.isCollapsed && selection.toString().trim() !== '') return true;
  return [...page.querySelectorAll(OPEN_PARTS)].some((part) => part.checkVisibility());
}
