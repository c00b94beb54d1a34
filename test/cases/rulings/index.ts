import { ARTICLE_RULINGS } from './article';
import { BETWEEN_RULINGS } from './between';
import { MORE_BETWEEN_RULINGS } from './between-more';
import { QUILLHUB_RULINGS } from './quillhub';
import type { Ruling } from './ruling';
import { STREAM_RULINGS } from './streams';
import { VIBECODE_VERDICT_RULINGS } from './vibecode';
import { VIBECODE_HISTORY_RULINGS } from './vibecode-history';

/** Every contradiction of the sources that the domain rules on. */
export const RULINGS: readonly Ruling[] = [
  ...VIBECODE_VERDICT_RULINGS,
  ...VIBECODE_HISTORY_RULINGS,
  ...QUILLHUB_RULINGS,
  ...ARTICLE_RULINGS,
  ...BETWEEN_RULINGS,
  ...MORE_BETWEEN_RULINGS,
  ...STREAM_RULINGS,
];
