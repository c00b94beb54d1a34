import type { FilterChoicesView, QueryContext } from './views';

/** Values of one menu at most. */
const CHOICES_MAX = 500;

/** Values that exist in the project, for filter menus; empty text (nothing was sent) is left out. */
export async function listFilterChoices(ctx: QueryContext): Promise<FilterChoicesView> {
  const { sql } = ctx.db;
  const list = async (field: keyof FilterChoicesView): Promise<string[]> => {
    const rows = await sql<{ value: string }[]>`
      select distinct ${sql(field)} as value from dimension
      where project_id = ${ctx.project.id} and ${sql(field)} <> '' order by 1 limit ${CHOICES_MAX}`;
    return rows.map((row) => row.value);
  };
  const [service, call, code, target, sdk, environment] = await Promise.all([
    list('service'),
    list('call'),
    list('code'),
    list('target'),
    list('sdk'),
    list('environment'),
  ]);
  return { service, call, code, target, sdk, environment };
}
