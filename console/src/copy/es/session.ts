import type { sessionCopy as english } from '../en/session.js';
import type { Translation } from '../translation.js';

const roles: Readonly<Record<string, string>> = {
  viewer: 'Lector',
  operator: 'Gestor',
  administrator: 'Administrador',
};

export const sessionCopy: Translation<typeof english> = {
  title: 'Iniciar sesión en Rollcall',
  signInName: 'Nombre de usuario o número de empleado',
  password: 'Contraseña',
  signIn: 'Iniciar sesión',
  signOut: 'Cerrar sesión',
  forgotPassword: '¿Ha olvidado su contraseña?',
  continueWith: (name: string | null) => `Continuar con ${name ?? 'la cuenta de su empresa'}`,
  windowBlocked:
    'El navegador ha bloqueado la ventana. Permita las ventanas emergentes en esta página e inténtelo de nuevo.',
  or: 'o',
  orAdministrators: 'o, para administradores',
  signedInWith: (name: string | null) => `Ha iniciado sesión con ${name ?? 'la cuenta de su empresa'}.`,
  proveWithProviderHint:
    'Para continuar debe iniciar sesión de nuevo, en otra ventana. No se perderá nada de lo que ha escrito.',
  provenTitle: 'Confirmado',
  provenHint: 'Puede cerrar esta ventana y continuar donde estaba.',
  closeWindow: 'Cerrar ventana',
  forgotten: '¿Contraseña olvidada? Un administrador puede restablecerla.',
  endedTitle: 'La sesión ha finalizado',
  endedHint: 'Para continuar, hay que volver a iniciar sesión. No se ha perdido nada de lo introducido.',
  leave: 'Descartar los cambios y cerrar sesión',
  mustChangeTitle: 'Elegir una contraseña nueva',
  mustChangeHint: 'La contraseña recibida debe sustituirse por una propia.',
  changePassword: 'Cambiar la contraseña',
  currentPassword: 'Contraseña actual',
  receivedPassword: 'Contraseña recibida',
  setPassword: 'Establecer la contraseña',
  passwordChosen: 'Su contraseña ha quedado establecida.',
  newPassword: 'Contraseña nueva',
  newPasswordAgain: 'Repetir la contraseña nueva',
  passwordsDiffer: 'Las contraseñas no coinciden.',
  passwordChanged: 'Contraseña cambiada. Se han cerrado todas las demás sesiones.',
  noRole: 'Esta es su cuenta: cómo inicia sesión y qué datos suyos guarda su empresa.',
  notSignedIn: 'No se pudo iniciar sesión',
  currentWrong: 'La contraseña es incorrecta.',
  proveTitle: 'Confirme su identidad',
  proveHint: 'Para este paso hace falta otra vez su contraseña. No se ha perdido nada de lo introducido.',
  prove: 'Confirmar',
  notProven: 'No se ha podido confirmar',
  usePasskey: 'Usar una llave de acceso',
  passkeyFailed: 'No se ha podido usar la llave de acceso',
  secondStepTitle: 'Segundo paso',
  enrolTitle: 'Configurar un segundo paso',
  proveCode: 'Código de su aplicación de autenticación o un código de recuperación',
  insecureTitle: 'Esta página necesita una conexión segura',
  insecureHint:
    'El navegador solo permite iniciar sesión por HTTPS. Abra Rollcall en su dirección https:// o pídala al departamento de informática.',
  notChanged: 'No se pudo cambiar la contraseña',
  showPassword: 'Mostrar la contraseña',
  hidePassword: 'Ocultar la contraseña',
  newPasswordHint:
    'Al menos 8 caracteres. No debe ser una contraseña habitual ni estar basada en el nombre de usuario, el número de empleado, el correo electrónico, la empresa o este producto.',
  signedInAs: (name, signInName, role) => `Sesión iniciada como ${name} (${signInName}). Rol: ${role}.`,
  role: (role) => roles[role ?? ''] ?? 'Sin rol',
  languageLater: (language) =>
    `La importación sigue abierta. La consola estará en ${language} al volver a cargar la página.`,
};
