import type { DemoSite } from './e2e-setup';
import {
  codePath,
  findingPath,
  operationPath,
  reviewItemPath,
  ruleSetPath,
  sectionPath,
  settingsPath,
} from '@/lib/present/routes';

export interface NamedPage {
  name: string;
  path: string;
}

interface Listed {
  items: { id: string; operationId: string }[];
}

/** Every page of the demo project; single codes, operations and items are taken from what is there. */
export async function listDemoPages(site: DemoSite, cookie: string): Promise<NamedPage[]> {
  const read = async (path: string): Promise<Listed> => {
    const answer = await fetch(`${site.url}/api/v1/${path}`, { headers: { cookie } });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return (await answer.json()) as Listed;
  };
  const open = (await read('review?project=demo&state=open&limit=1')).items[0];
  const resolved = (await read('review?project=demo&state=resolved&limit=1')).items[0];
  if (!open || !resolved) throw new Error('The demo queue has no open or no resolved item.');
  return [
    { name: 'overview', path: `${sectionPath('demo', 'overview')}?last=7d` },
    { name: 'codes', path: `${sectionPath('demo', 'codes')}?last=7d` },
    { name: 'code', path: `${codePath('demo', 'BITRIX_TIMEOUT')}?last=7d` },
    { name: 'review', path: sectionPath('demo', 'review') },
    { name: 'review-item', path: reviewItemPath('demo', open.id) },
    { name: 'review-item-resolved', path: reviewItemPath('demo', resolved.id) },
    { name: 'operations', path: `${sectionPath('demo', 'operations')}?last=7d` },
    { name: 'operation', path: operationPath('demo', open.operationId) },
    { name: 'compliance', path: `${sectionPath('demo', 'compliance')}?last=7d` },
    { name: 'findings', path: `${sectionPath('demo', 'findings')}?last=7d` },
    { name: 'findings-sdk', path: `${sectionPath('demo', 'findings')}?last=7d&by=sdk` },
    { name: 'finding', path: `${findingPath('demo', 'early_retry')}?last=7d` },
    { name: 'rules-compared', path: ruleSetPath('demo', 'vibecode@2026-10-22', 'vibecode@older-ru') },
    { name: 'rules', path: sectionPath('demo', 'rules') },
    { name: 'judging', path: settingsPath('demo', 'judging') },
    { name: 'keys', path: settingsPath('demo', 'keys') },
    { name: 'projects', path: '/projects' },
  ];
}
