import type { FilterChoicesView, QueryContext } from './views';

/** Values of one menu at most. */
const CHOICES_MAX = 500;

/** Values that exist in the project, for filter menus; empty text (nothing was sent) is left out. */
export async function listFilterChoices(ctx: QueryContext): Promise<FilterChoicesView> {
  const { sql } = ctx.db;
  const rows = await sql<{ field: keyof FilterChoicesView; value: string }[]>`
    select v.field, v.value
    from dimension d cross join lateral (values ('service', d.service), ('call', d.call), ('code', d.code),
      ('target', d.target), ('sdk', d.sdk), ('environment', d.environment)) v(field, value)
    where d.project_id = ${ctx.project.id} and v.value <> ''
    group by 1, 2 order by 1, 2`;
  const choices: FilterChoicesView = { service: [], call: [], code: [], target: [], sdk: [], environment: [] };
  for (const { field, value } of rows) if (choices[field].length < CHOICES_MAX) choices[field].push(value);
  return choices;
}
