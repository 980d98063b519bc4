/** What a translation of texts has to be: the same keys and parameters, with any text. */
export type Translation<Texts> = Texts extends string
  ? string
  : Texts extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { [Key in keyof Texts]: Translation<Texts[Key]> };
