import type { attributesCopy as english } from '../en/attributes.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, users } from './plural.js';

export const attributesCopy: Translation<typeof english> = {
  lead: 'Campos que la empresa añade a los usuarios. Aparecen en las páginas de los usuarios, en listas y archivos, y en la API.',
  empty: 'Todavía no hay atributos',
  emptyHint:
    'Los atributos permiten guardar más datos de los usuarios que los campos comunes a todos. Por ejemplo:',
  examples: [
    { name: 'Sede', text: 'Una opción como Berlín o Lyon. Permite filtrar la lista de usuarios.' },
    {
      name: 'Fin de contrato',
      text: 'Una fecha. Permite encontrar a quienes terminan su contrato este trimestre.',
    },
  ],
  columns: { label: 'Nombre', key: 'Clave', type: 'Tipo', flags: 'Propiedades', actions: 'Acciones' },
  actionsFor: (name) => `Acciones para ${name}`,
  types: {
    text: 'Texto',
    number: 'Número',
    date: 'Fecha',
    boolean: 'Sí o no',
    choice: 'Opción',
    list: 'Lista de textos',
  },
  typeHints: {
    text: 'Cualquier texto de una línea, como el número de una tarjeta.',
    number:
      'Un número para comparar, como las horas semanales. Para identificadores conviene un texto, que conserva los ceros iniciales.',
    date: 'Un día sin hora, como el primer día de trabajo.',
    boolean: 'También se puede dejar sin definir.',
    choice: 'Uno de los valores indicados.',
    list: 'Varios textos, como certificados.',
  },
  flags: {
    isUnique: 'Único',
    isSearchable: 'Con búsqueda',
    isFilterable: 'Con filtro',
    isSensitive: 'Confidencial',
    isEditableByUser: 'Editable por el usuario',
  },
  flagHints: {
    isUnique: 'Dos usuarios no pueden tener el mismo valor.',
    isSearchable:
      'La búsqueda encuentra usuarios por este valor. No disponible para atributos confidenciales.',
    isFilterable: 'La lista de usuarios se puede filtrar y ordenar por él.',
    isSensitive: 'Solo los administradores y los clientes de API con este permiso lo ven y lo cambian.',
    isEditableByUser: 'Cada usuario puede cambiar su propio valor.',
  },
  retired: 'Retirado',
  retiredHint: 'El valor se conserva, pero ya no se puede cambiar.',
  sensitive: 'confidencial',
  sensitiveHint: 'Confidencial: solo lo ven los administradores y los clientes de API con este permiso.',

  form: {
    labels: 'Nombres',
    labelsHint: 'Cómo se llama el atributo. Si falta el nombre en un idioma, se muestra otro.',
    key: 'Clave',
    keyHint: 'Su nombre en la API y en los archivos. Letras y cifras, con una minúscula al principio.',
    keyInvalid: (max) =>
      `Solo se admiten letras de la a a la z y cifras, ${max} como máximo, con una minúscula al principio.`,
    renameHint: 'Hay que adaptar los programas que usan la clave anterior.',
    type: 'Tipo',
    typeFixed: 'El tipo no se puede cambiar después.',
    choices: 'Opciones',
    choicesHint: 'Escribir cada valor y pulsar Intro. Se ofrecen en este orden.',
    choicesRequired: 'Hay que indicar al menos una opción.',
    maxLength: 'Longitud máxima, en caracteres',
    maxLengthHint: (standard) => `Si se deja vacío, ${formatNumber(standard)}.`,
    pattern: 'Patrón',
    patternHint: 'Opcional. Una expresión regular (RE2) que debe cumplir el valor completo.',
    patternInvalid: 'El patrón no es válido. No se admiten lookaround ni referencias inversas.',
    boundsReversed: 'Es menor que el valor mínimo.',
    minimum: { number: 'Número mínimo', date: 'Primera fecha' },
    maximum: { number: 'Número máximo', date: 'Última fecha' },
    flags: 'Propiedades',
    synonyms: 'Otros encabezados en archivos',
    synonymsHint:
      'Las columnas con estos encabezados también se reconocen al importar. Escribir cada uno y pulsar Intro.',
    laterHint:
      'Los límites, los nombres en otros idiomas y lo demás se pueden definir más tarde en Configuración.',
    limitsHint:
      'Los usuarios conservan los valores que un límite nuevo excluye hasta que alguien los cambie.',
  },
  create: {
    action: 'Añadir atributo',
    done: (name) => `${name} añadido.`,
    failed: 'No se pudo añadir el atributo',
  },
  edit: {
    action: 'Editar…',
    title: (name) => `Editar ${name}`,
    done: (name) => `${name} guardado.`,
    failed: 'No se pudieron guardar los cambios',
  },
  retire: {
    action: 'Retirar…',
    title: (name) => `¿Retirar ${name}?`,
    text: 'Los usuarios conservan sus valores, que siguen visibles, pero nadie puede introducir otros nuevos. El atributo se puede restaurar en cualquier momento.',
    confirm: 'Retirar',
    done: (name) => `${name} retirado.`,
    failed: 'No se pudo retirar el atributo',
  },
  restore: {
    action: 'Restaurar…',
    title: (name) => `¿Restaurar ${name}?`,
    text: 'Después se podrán introducir valores de nuevo.',
    confirm: 'Restaurar',
    done: (name) => `${name} restaurado.`,
    failed: 'No se pudo restaurar el atributo',
  },
  remove: {
    action: 'Eliminar…',
    title: (name) => `¿Eliminar ${name}?`,
    counting: 'Contando los usuarios que tienen un valor…',
    notCounted: 'No se pudieron contar los usuarios que tienen un valor',
    unused: 'Ningún usuario tiene un valor. La definición se elimina definitivamente.',
    inUse: (count) =>
      `${users(count)} ${choose(count, 'tiene un valor, que se elimina', 'tienen valores, que se eliminan')} con el atributo.`,
    alternative: 'Para conservar los valores, se puede retirar el atributo.',
    confirm: (count) => (count === 0 ? 'Eliminar' : `Eliminar los valores de ${users(count)}`),
    done: (name) => `${name} eliminado.`,
    doneTitle: 'Atributo eliminado',
    cleared: (count) => `Se quitaron los valores de ${users(count)}. Se puede deshacer en Actividad.`,
    view: 'Ver en Actividad',
    failed: 'No se pudo eliminar el atributo',
  },

  input: {
    notSet: 'Sin definir',
    choose: 'Elegir',
    clear: (name) => `Vaciar ${name}`,
    listHint: 'Escribir cada entrada y pulsar Intro.',
  },
  rules: {
    text: (max) => `Se admiten ${formatNumber(max)} caracteres como máximo, en una línea.`,
    pattern: (pattern) => `El valor debe cumplir el patrón ${pattern}.`,
    number: (example) => `Hay que introducir un número como ${example}.`,
    digits: (max, smallest) =>
      `Hay que introducir un número de ${max} cifras como máximo que no esté más cerca de cero que ${smallest}. Para identificadores conviene un texto.`,
    date: 'Hay que introducir una fecha.',
    atLeast: (bound) => `El valor mínimo es ${bound}.`,
    atMost: (bound) => `El valor máximo es ${bound}.`,
    between: (from, to) => `Se admiten valores desde ${from} hasta ${to}.`,
    choice: 'Hay que elegir uno de los valores ofrecidos.',
    oneOf: (choices) => `Hay que elegir una de estas opciones: ${choices}.`,
    boolean: 'Hay que elegir sí o no.',
    list: (max, count) =>
      `Se admiten ${formatNumber(count)} textos como máximo, de hasta ${formatNumber(max)} caracteres cada uno.`,
  },

  filter: {
    is: 'es',
    range: 'desde – hasta',
    isSet: 'tiene valor',
    isNotSet: 'está vacío',
    from: 'Desde',
    to: 'Hasta',
    valuesHint: 'Escribir un valor y pulsar Intro. Con varios se encuentran los usuarios que tienen alguno.',
    isSetText: (name) => `${name} tiene valor`,
    isNotSetText: (name) => `${name} está vacío`,
    rangeText: (name, from, to) => {
      if (from === undefined) return `${name} hasta ${to}`;
      if (to === undefined) return `${name} desde ${from}`;
      return from === to ? `${name} es ${from}` : `${name} ${from} – ${to}`;
    },
  },
  sort: {
    ascending: (name) => `${name} (ascendente)`,
    descending: (name) => `${name} (descendente)`,
  },
  change: {
    attribute: 'Atributo',
    value: 'Valor nuevo',
    valueRequired: 'Hay que introducir un valor.',
  },
};
