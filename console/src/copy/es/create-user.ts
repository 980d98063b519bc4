import type { createUserCopy as english } from '../en/create-user.js';
import type { Translation } from '../translation.js';

export const createUserCopy: Translation<typeof english> = {
  title: 'Crear usuario',
  hint: 'Se necesita un correo electrónico o un teléfono, porque allí se envía la contraseña inicial.',
  create: 'Crear',
  createAnother: 'Crear y añadir otro',
  passwordHint: (email, phone) => {
    const address =
      email !== null
        ? `por correo electrónico a ${email}`
        : phone !== null
          ? `por SMS a ${phone}`
          : undefined;
    const where = address ?? 'por correo electrónico o, si no lo hay, por SMS';
    return `Si se deja en blanco, se genera una. Se envía ${where} y debe cambiarse en el primer inicio de sesión.`;
  },
  activeHint: 'La contraseña se enviará de inmediato.',
  fileHint: 'La contraseña solo se escribirá en un archivo, porque el servicio aún no envía mensajes.',
  inactiveHint:
    'Los usuarios inactivos no pueden iniciar sesión. La contraseña se enviará cuando se activen.',
  created: (name) => `Se ha creado a ${name}.`,
  messageOnItsWay: 'La contraseña está en camino.',
  messageInFile: 'La contraseña solo se ha escrito en un archivo.',
  messageWaits: 'La contraseña se enviará cuando se active.',
  open: 'Ver usuario',
  rehire: {
    title: 'Un usuario inactivo tiene este número de empleado',
    hint: 'Si es la misma persona, se puede reincorporar: el usuario se reactiva con los datos anteriores y una contraseña nueva, y conserva su historial.',
    action: 'Reincorporar',
    done: (name) => `Se ha reincorporado a ${name}.`,
  },
  quarantine: {
    title: (name) => `${name} quedó libre hace poco`,
    hint: (day) =>
      `Hasta el ${day} se reserva para su último titular. Si nadie va a volver a necesitarlo, se puede liberar ahora.`,
    askAdministrator: (day) =>
      `Hasta el ${day} se reserva para su último titular. Para usarlo antes, hay que pedir a un administrador que lo libere.`,
    release: (name) => `Liberar ${name}`,
    released: (name) => `Ya se puede usar ${name}.`,
    failed: 'No se pudo liberar',
  },
  notCreated: 'No se pudo crear el usuario',
  leaving: {
    title: '¿Descartar este usuario?',
    hint: 'El usuario aún no se ha creado.',
    stay: 'Seguir editando',
    leave: 'Descartar',
  },
};
