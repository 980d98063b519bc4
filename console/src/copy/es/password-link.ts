import type { passwordLinkCopy as english } from '../en/password-link.js';
import type { Translation } from '../translation.js';

export const passwordLinkCopy: Translation<typeof english> = {
  forgotHint:
    'Indique su nombre de usuario o su número de empleado y recibirá un enlace para elegir una contraseña nueva: por correo electrónico, o por SMS si no tiene dirección de correo.',
  sendLink: 'Enviar enlace',
  linkSent:
    'Si puede iniciar sesión aquí con una contraseña, recibirá un enlace. Funciona durante 15 minutos.',
  linkNotSent: 'No se pudo enviar el enlace',
  backToSignIn: 'Volver al inicio de sesión',
  goToSignIn: 'Ir al inicio de sesión',
  passwordRecovered: 'Su contraseña nueva ya es válida. Se han cerrado todas sus sesiones.',
  invalid: {
    title: 'Este enlace ya no funciona',
    hint: 'Ya se ha usado, ha caducado o se ha sustituido por uno más reciente. Si ya ha elegido una contraseña con él, inicie sesión con ella.',
  },
  missing: {
    title: 'Abra de nuevo el enlace',
    hint: 'Esta página necesita el enlace de su mensaje y lo pierde al volver a cargarse. Abra de nuevo el enlace del mensaje o solicite otro.',
  },
  askForLink: 'Un administrador puede enviarle otro.',
};
