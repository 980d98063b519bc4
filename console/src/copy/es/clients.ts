import type { clientsCopy as english } from '../en/clients.js';
import type { Translation } from '../translation.js';

export const clientsCopy: Translation<typeof english> = {
  lead: 'Clientes de API que acceden a Rollcall, por ejemplo para una sincronización nocturna.',
  empty: 'Aún no hay clientes de API',
  emptyHint: 'Cree un cliente de API para cada programa que deba acceder a Rollcall.',
  create: 'Crear cliente de API',
  editTitle: (name) => `Editar ${name}`,
  name: 'Nombre',
  nameHint: 'Para qué sirve este cliente de API.',
  scopes: 'Permisos',
  scopesRequired: 'Hay que elegir al menos uno.',
  allDisabled: 'Todos los clientes están deshabilitados',
  showDisabled: (count) => `Mostrar deshabilitados (${count})`,
  data: 'Datos que envía',
  ignoresUnknown: 'Ignorar los campos desconocidos en los cambios masivos',
  ignoresUnknownHint:
    'Para un sistema que envía más campos de los definidos. De lo contrario, esas filas se rechazan.',
  id: 'ID de cliente',
  created: 'Creado',
  lastUsed: 'Último uso',
  neverUsed: 'Nunca',
  secrets: 'Secretos',
  isActive: 'Habilitado',
  isDisabled: 'Deshabilitado',
  edit: 'Editar',
  rotate: 'Renovar el secreto',
  disable: 'Deshabilitar',
  enable: 'Habilitar',
  disableTitle: (name) => `¿Deshabilitar ${name}?`,
  disableText:
    'El cliente de API pierde en segundos el acceso a Rollcall. Se puede volver a habilitar más adelante. No se elimina, porque el historial y el registro de acceso hacen referencia a él.',
  enableTitle: (name) => `¿Habilitar ${name}?`,
  enableText:
    'El cliente de API podrá volver a acceder con sus secretos. Los tokens emitidos antes de deshabilitarlo siguen revocados.',
  rotateImmediately: 'De inmediato, y revocar todos sus tokens',
  saved: 'Cliente de API guardado.',
  wasDisabled: (name) => `Se ha deshabilitado ${name}.`,
  wasEnabled: (name) => `Se ha habilitado ${name}.`,
  failed: 'No se pudo guardar el cliente de API',

  secret: {
    title: 'Copiar este secreto ahora',
    warning: 'No se podrá volver a ver. Hay que guardarlo en un lugar seguro antes de cerrar este diálogo.',
    secret: 'Secreto',
    clientId: 'ID de cliente',
    done: 'Listo',
  },
  rotation: {
    title: (name) => `Renovar el secreto de ${name}`,
    text: 'El secreto nuevo funciona de inmediato. Hay que elegir cuánto tiempo seguirá funcionando el actual.',
    overlap: 'El secreto actual caduca',
    choices: {
      0: 'De inmediato',
      3600: 'En 1 hora',
      86400: 'En 1 día',
      604800: 'En 7 días',
      2592000: 'En 30 días',
    },
    confirm: 'Renovar el secreto',
    failed: 'No se pudo renovar el secreto',
  },
  secretDates: {
    created: (time) => `creado el ${time}`,
    expires: (created, expires) => `creado el ${created}, caduca el ${expires}`,
    none: 'Ningún secreto válido',
  },
  scopeHints: {
    'users:read': 'Ve a todos los usuarios con sus datos, las organizaciones y las etiquetas.',
    'users:write': 'También importa, desactiva y deshace. No puede asignar roles.',
    'access:admin':
      'Convierte este programa en administrador: puede darse a sí mismo y a otros cualquier permiso y restablecer cualquier contraseña.',
    'audit:read': 'Lee quién ha cambiado qué y quién ha iniciado sesión.',
    'attributes:sensitive': 'Sin este permiso, el programa no ve los atributos confidenciales.',
    scim: 'Para un proveedor de identidad como Okta o Microsoft Entra ID.',
  },
  isAdministrator: 'Administrador',
};
