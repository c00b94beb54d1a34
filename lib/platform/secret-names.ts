/** Names whose values are secret wherever they stand: attribute keys, URL query names, `name=value` inside text. */

const EXACT = new Set(
  (
    'password secret passwd apikey auth credentials mysqlpwd privatekey token bearer cookie setcookie session sessionid ' +
    'xapikey proxyauthorization authorization otp ssn iban card cardnumber cvv cvc pin pwd passphrase sig signature ' +
    'xamzsignature xamzcredential accesskey secretkey clientsecret jwt sid'
  ).split(' '),
);

const ENDINGS = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'apikey',
  'token',
  'privatekey',
  'secretkey',
  'accesskey',
  'credentials',
  'authorization',
  'cookie',
  'sessionid',
];

/** Letter case, `-`, `_`, `.` and spaces don't matter. */
export function isSecretName(name: string): boolean {
  if (name.length > 64) return false;
  const plain = name.toLowerCase().replace(/[-_. ]/g, '');
  return EXACT.has(plain) || ENDINGS.some((ending) => plain.endsWith(ending));
}
