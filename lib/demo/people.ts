import type { Resolution } from '@/lib/core/operation';
import type { Role } from '@/lib/core/permission';

/** The demo project's people. `npm start -- --demo` makes a user of each; only `demo` has a password that is told. */
export interface DemoPerson {
  email: string;
  name: string;
  role: Role;
  /** Share of the queue's work this person does; 0 = only looks. */
  share: number;
}

/** Who signs in at the demo. */
export const DEMO_VISITOR: DemoPerson = { email: 'demo@readback.example', name: 'Demo', role: 'lead', share: 0 };

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  DEMO_VISITOR,
  { email: 'anna.lindqvist@readback.example', name: 'Anna Lindqvist', role: 'operator', share: 5 },
  { email: 'ilya.sokolov@readback.example', name: 'Илья Соколов', role: 'operator', share: 4 },
  { email: 'marta.kowalska@readback.example', name: 'Marta Kowalska', role: 'lead', share: 2 },
  { email: 'dmitry.orlov@readback.example', name: 'Дмитрий Орлов', role: 'operator', share: 3 },
  { email: 'lena.fischer@readback.example', name: 'Lena Fischer', role: 'viewer', share: 0 },
];

/** What people write when they settle a doubt; `{id}` becomes what they found. */
export const RESOLUTION_NOTES: Readonly<Record<Resolution, readonly string[]>> = {
  applied_once: [
    'Found {id}, created within a minute of the attempt. One entry only.',
    'Запись {id} есть, создана вовремя, дублей нет.',
    'Checked by the business key: {id}. Nothing to repeat.',
    'Нашёл {id} по номеру заказа, сумма совпадает.',
  ],
  not_applied: [
    'Nothing under this key an hour later. The customer was asked to send it again.',
    'По номеру заказа ничего нет, в корзине тоже. Отправили заново вручную.',
    'No trace in the target system; a new operation was started.',
  ],
  applied_more_than_once: [
    'Two entries, {id} and a later one. The later one was removed.',
    'Две записи с одним номером, вторую ({id}) закрыли как дубль.',
    'Duplicate confirmed: {id} cancelled, customer informed.',
  ],
  partly_applied: [
    'The record {id} exists, but without its products. Completed by hand.',
    'Карточка {id} создана, поля стадии и ответственного пустые — дозаполнили.',
  ],
  cannot_be_known: [
    'The portal keeps no history for this field; the customer does not answer.',
    'Журнал портала за это время недоступен, поддержка ответила, что данных нет.',
  ],
};

export const CLAIM_NOTES: readonly string[] = [
  'Looking it up in the portal now.',
  'Смотрю в портале.',
  'Asked the sales team about this order.',
];

export const SNOOZE_NOTES: readonly string[] = [
  'The provider reconciles tomorrow morning; look again then.',
  'Ждём сверку от платёжной системы, вернусь завтра.',
  'Support ticket is open with the platform, answer promised by Thursday.',
];

export const REMARKS: readonly string[] = [
  'Same minute as the incident; the portal answered again soon after.',
  'Клиент пишет, что заказ у него в кабинете есть.',
  'The read-back looked too early, the portal was still working.',
];
