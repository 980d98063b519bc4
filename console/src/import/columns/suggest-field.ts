import type { Mapping } from '@rollcall/sheets';

const examinedMax = 50;
const shareMin = 0.8;

/** The field that the values of a column without one seem to belong to, if no other column has it. */
export function suggestedField(
  values: readonly string[],
  mapping: Mapping,
): keyof typeof patterns | undefined {
  const examined = values.map((value) => value.trim()).filter((value) => value !== '');
  const some = examined.slice(0, examinedMax);
  if (some.length === 0) return undefined;
  return fields.find((field) => {
    const alike = some.filter((value) => patterns[field].test(value));
    return !mapping[field]?.length && alike.length >= some.length * shareMin;
  });
}

/** Phone numbers begin with + or 0, or have gaps. Dates have gaps, too. */
const patterns = {
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/u,
  phone:
    /^(?!\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$)(?=(?:\D*\d){6,15}\D*$)(?:\+|00?\d|\(|\d+[\s/-])[\d\s()/.-]*$/u,
} as const;
const fields = ['email', 'phone'] as const;
