/** Issuer prefixes with their lengths: a digit run that only passes Luhn is no card one time in ten. */
const ISSUERS: { prefix: RegExp; lengths: number[] }[] = [
  { prefix: /^4/, lengths: [16, 19] },
  { prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^(6011|65|64[4-9])/, lengths: [16] },
  { prefix: /^220[0-4]/, lengths: [16] },
  { prefix: /^62/, lengths: [16, 17, 18, 19] },
  { prefix: /^35(2[89]|[3-8])/, lengths: [16] },
  { prefix: /^3(0[0-5]|[689])/, lengths: [14] },
];

/** No groups, groups of four, or American Express' 4-6-5. */
const GROUPS = /^(?:\d+|\d{4}(?: \d{4}){2,3}(?: \d{1,4})?|\d{4}(?:-\d{4}){2,3}(?:-\d{1,4})?|\d{4}[ -]\d{6}[ -]\d{5})$/;

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48;
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** @param text digits, perhaps in groups parted by one kind of separator (space or dash). */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  if (!GROUPS.test(text)) return false;
  const known = ISSUERS.some((issuer) => issuer.lengths.includes(digits.length) && issuer.prefix.test(digits));
  return known && passesLuhn(digits);
}
