import enCodes from '@/messages/en/codes.json';
import enCommon from '@/messages/en/common.json';
import enCompliance from '@/messages/en/compliance.json';
import enFindings from '@/messages/en/findings.json';
import enOperations from '@/messages/en/operations.json';
import enOverview from '@/messages/en/overview.json';
import enReview from '@/messages/en/review.json';
import enRules from '@/messages/en/rules.json';
import enSettings from '@/messages/en/settings.json';
import enShell from '@/messages/en/shell.json';
import ruCodes from '@/messages/ru/codes.json';
import ruCommon from '@/messages/ru/common.json';
import ruCompliance from '@/messages/ru/compliance.json';
import ruFindings from '@/messages/ru/findings.json';
import ruOperations from '@/messages/ru/operations.json';
import ruOverview from '@/messages/ru/overview.json';
import ruReview from '@/messages/ru/review.json';
import ruRules from '@/messages/ru/rules.json';
import ruSettings from '@/messages/ru/settings.json';
import ruShell from '@/messages/ru/shell.json';
import type { Locale } from '@/lib/core/locale';

const en = {
  shell: enShell,
  common: enCommon,
  overview: enOverview,
  codes: enCodes,
  review: enReview,
  operations: enOperations,
  compliance: enCompliance,
  findings: enFindings,
  rules: enRules,
  settings: enSettings,
};

/** One namespace an area: `useTranslations('shell')`. English gives the type that every language must have. */
export type Messages = typeof en;

const ru: Messages = {
  shell: ruShell,
  common: ruCommon,
  overview: ruOverview,
  codes: ruCodes,
  review: ruReview,
  operations: ruOperations,
  compliance: ruCompliance,
  findings: ruFindings,
  rules: ruRules,
  settings: ruSettings,
};

export const MESSAGES: Readonly<Record<Locale, Messages>> = { en, ru };
