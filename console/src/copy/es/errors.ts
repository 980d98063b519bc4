import type { errorsCopy as english, outageCopy as englishOutage } from '../en/errors.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';

const reload =
  'Esta página y el servicio no se han entendido. Hay que volver a cargar la página e intentarlo de nuevo.';
const signInAgain = 'Para continuar, hay que volver a iniciar sesión.';
const alphanumeric = (max: number) =>
  `Solo letras de la a a la z y cifras, ${formatNumber(max)} como máximo.`;
const singleLine = (max: number) =>
  `${formatNumber(max)} caracteres como máximo, sin saltos de línea ni caracteres de control invisibles.`;
const listed = new Intl.ListFormat('es', { type: 'conjunction' });

export const errorsCopy: Translation<typeof english> = {
  unknown:
    'Ha ocurrido algo inesperado. Hay que volver a cargar la página e intentarlo de nuevo. Si se repite, conviene avisar al administrador.',
  unexpectedReply:
    'La respuesta no procede de Rollcall, sino de algo intermedio, como un proxy. Conviene intentarlo de nuevo en un momento.',
  codes: {
    REQUEST_MALFORMED: reload,
    REQUEST_BODY_NOT_JSON: reload,
    REQUEST_BODY_TOO_DEEP: reload,
    REQUEST_BODY_INVALID: 'No se ha aceptado alguno de los datos. Hay que revisarlos e intentarlo de nuevo.',
    REQUEST_PARAMETER_INVALID:
      'Algún filtro u opción no es válido. Hay que quitar los filtros e intentarlo de nuevo.',
    REQUEST_CURSOR_INVALID: 'La lista ha cambiado. Hay que volver a cargar la página.',
    REQUEST_PATH_NOT_FOUND:
      'El servicio no reconoce la solicitud de esta página. Hay que volver a cargarla e intentarlo de nuevo.',
    REQUEST_METHOD_NOT_ALLOWED: reload,
    REQUEST_NOT_ACCEPTABLE: reload,
    REQUEST_TIMEOUT: 'La conexión es demasiado lenta. Hay que intentarlo de nuevo.',
    REQUEST_PRECONDITION_FAILED:
      'Entretanto, otra persona ha modificado este usuario. Hay que volver a cargar la página e intentarlo de nuevo.',
    REQUEST_BODY_TOO_LARGE: 'Es demasiado para una sola solicitud. Hay que enviar menos de una vez.',
    REQUEST_TOO_MANY_ITEMS: 'Son demasiadas filas para una sola solicitud. Hay que enviar menos de una vez.',
    REQUEST_MEDIA_TYPE_UNSUPPORTED: reload,
    REQUEST_RATE_LIMITED:
      'Ha habido demasiadas solicitudes en un minuto. Hay que esperar un momento e intentarlo de nuevo.',
    REQUEST_HEADERS_TOO_LARGE: reload,
    USER_EMPLOYEE_ID_EXISTS: 'Este número de empleado ya está ocupado.',
    USER_NOT_FOUND: 'Este usuario ya no existe.',
    USER_USERNAME_EXISTS: 'Este nombre de usuario ya está ocupado.',
    USER_CONTACT_REQUIRED: 'Se necesita un correo electrónico o un teléfono.',
    USER_NOT_AN_OBJECT: 'No se pudo leer esta fila.',
    USER_FIELD_REQUIRED: 'Falta un campo obligatorio.',
    USER_FIELD_INVALID: 'Un campo tiene un valor no permitido.',
    USER_FIELD_NOT_ACCEPTED: 'Un campo no se puede establecer aquí.',
    USER_LAST_ADMINISTRATOR:
      'Es el único administrador activo con nombre de usuario. Antes hay que dar un nombre de usuario a otro administrador o asignar ese rol a otra persona.',
    USER_CHANGED_SINCE:
      'Este usuario se ha modificado, eliminado o utilizado desde entonces, y se ha dejado como está.',
    USER_PROTECTED:
      'Este usuario tiene un rol. Solo un administrador puede cambiar su nombre de usuario o sus datos de contacto, o reactivarlo.',
    USER_ERASED: 'Los datos personales de este usuario se borraron definitivamente.',
    USER_ATTRIBUTE_EXISTS: 'Otro usuario tiene este valor.',
    USER_MANAGER_NOT_FOUND: 'Nadie tiene el número de empleado de este responsable.',
    USER_MANAGER_CYCLE: 'Así, alguien sería su propio responsable, directamente o a través de otros.',
    ACCESS_TOKEN_REQUIRED: signInAgain,
    ACCESS_TOKEN_INVALID: signInAgain,
    ACCESS_SCOPE_MISSING: 'No hay permiso para hacer esto. Es necesario acudir a un administrador.',
    ACCESS_CLIENT_INVALID: signInAgain,
    ACCESS_GRANT_UNSUPPORTED: reload,
    ACCESS_SCOPE_INVALID: reload,
    ACCESS_TOKEN_REQUEST_INVALID: reload,
    ACCESS_SIGN_IN_FAILED:
      'El nombre de usuario, el número de empleado o la contraseña son incorrectos, o este usuario no puede iniciar sesión. Conviene revisar los datos.',
    ACCESS_SIGN_IN_DELAYED:
      'Ha habido demasiados intentos fallidos. Hay que esperar un momento e intentarlo de nuevo.',
    ACCESS_PASSWORD_EXPIRED:
      'La contraseña inicial ha caducado. Hay que pedir a un administrador que envíe otra.',
    ACCESS_PASSWORD_CHANGE_REQUIRED: 'Antes hay que elegir una contraseña nueva.',
    ACCESS_PASSWORD_REFUSED: 'Esta contraseña no está permitida. Hay que elegir otra.',
    ACCESS_PASSWORD_WRONG: 'La contraseña actual es incorrecta.',
    ACCESS_USER_REQUIRED: 'Solo pueden hacerlo los usuarios con sesión iniciada.',
    ACCESS_CLIENT_NOT_FOUND: 'Este cliente de API ya no existe. Hay que volver a cargar la página.',
    ACCESS_DELIVERY_NOT_FOUND: 'Este mensaje ya no existe. Hay que volver a cargar la página.',
    ACCESS_DELIVERY_SUPERSEDED:
      'Este mensaje ya no hace falta: otro más reciente lo ha sustituido, o el usuario ya ha elegido una contraseña.',
    ACCESS_CLIENT_TOKEN_NOT_FOUND: 'Este token ya no existe. Hay que volver a cargar la página.',
    ACCESS_CLIENT_TOKEN_TOO_MANY:
      'Este cliente de API tiene el número máximo de tokens. Hay que revocar uno que ya no se use.',
    ACCESS_CLIENT_NOT_A_PROVIDER:
      'Este cliente de API no puede crear ni modificar usuarios mediante SCIM. Primero hay que añadirle el permiso en la página «Clientes de API».',
    ACCESS_TOKEN_OF_ANOTHER_CLIENT: reload,
    ACCESS_TOKEN_TYPE_UNSUPPORTED: reload,
    ACCESS_SESSION_NOT_FOUND: 'Esta sesión ya se ha cerrado. Vuelva a cargar la página.',
    ACCESS_PROOF_REQUIRED: 'Confirme su identidad y vuelva a intentarlo.',
    ACCESS_ORIGIN_REFUSED: reload,
    ACCESS_FACTOR_REQUIRED: 'La contraseña sola no basta. Inicie sesión con su segundo factor.',
    ACCESS_FACTOR_CODE_WRONG:
      'El código es incorrecto o ya se ha utilizado. Espere al siguiente o use otro código de recuperación.',
    ACCESS_PASSKEY_REFUSED:
      'No se ha aceptado la llave de acceso. Vuelva a intentarlo o inicie sesión de otra forma.',
    ACCESS_PASSKEYS_UNAVAILABLE:
      'Las llaves de acceso no funcionan en esta dirección. Abra Rollcall en su dirección habitual.',
    ACCESS_PASSKEY_EXISTS: 'Esta llave de acceso ya se ha añadido.',
    ACCESS_FACTOR_NOT_FOUND: 'Este segundo factor ya no existe. Vuelva a cargar la página.',
    ACCESS_FACTOR_TOO_MANY: 'No se pueden añadir más segundos factores. Elimine uno que ya no utilice.',
    ACCESS_FACTOR_LAST: 'La empresa exige un segundo factor. Añada otro antes de eliminar este.',
    APPLICATION_NOT_FOUND: 'Esta aplicación ya no existe. Vuelva a cargar la página.',
    APPLICATION_NAME_EXISTS:
      'Otra aplicación ya tiene este nombre. Elija uno que los usuarios puedan distinguir.',
    APPLICATION_WITHOUT_SECRET:
      'Esta aplicación no tiene secreto, porque se ejecuta en un navegador o en un dispositivo.',
    APPLICATION_SIGN_IN_NOT_FOUND:
      'Este inicio de sesión ha caducado. Vuelva a la aplicación e inicie sesión de nuevo.',
    ACCESS_FIELD_NOT_EDITABLE: 'La empresa mantiene este campo. Pida a un administrador que lo cambie.',
    ACCESS_SSO_NOT_CONFIGURED:
      'El inicio de sesión único no está configurado. Inicie sesión con su contraseña.',
    ACCESS_SSO_UNAVAILABLE:
      'El inicio de sesión de su empresa no responde ahora. Inténtelo de nuevo en un momento.',
    ACCESS_SSO_FAILED:
      'No se pudo completar el inicio de sesión. Es posible que haya tardado demasiado. Empiece de nuevo.',
    ACCESS_SSO_CANCELLED:
      'Su empresa no ha iniciado su sesión. Si no la ha cancelado, consulte a un administrador.',
    ACCESS_SSO_USER_UNKNOWN:
      'Su empresa le conoce, pero aquí todavía no tiene cuenta. Pida a un administrador que la cree.',
    ACCESS_SSO_USER_INACTIVE: 'Su cuenta está desactivada aquí. Pida a un administrador que la active.',
    ACCESS_SSO_USER_DIFFERENT: 'Ha iniciado sesión como otra persona. Repítalo con su propia cuenta.',
    ACCESS_LOCAL_SIGN_IN_OFF: 'Aquí no se usan contraseñas. Inicie sesión con la cuenta de su empresa.',
    ACCESS_PASSWORD_LINK_INVALID:
      'Este enlace ha caducado, ya se ha usado o se ha sustituido por uno más reciente. Solicite otro.',
    ACCESS_LOGOUT_TOKEN_INVALID: 'El token de cierre de sesión no es válido.',
    ACCESS_CODE_WRONG: 'El código es incorrecto o ha caducado. Compruébelo o solicite otro.',
    ACCESS_CODES_EXHAUSTED:
      'Hoy se han enviado demasiados códigos. Inténtelo mañana o pida ayuda a un administrador.',
    VIEW_NOT_FOUND: 'Esta vista ya no existe. Vuelva a cargar la página.',
    VIEW_OF_SOMEBODY_ELSE:
      'Solo quien compartió esta vista y los administradores pueden cambiarla. Guarde una vista propia.',
    VIEW_NAME_TAKEN: 'Otra vista tiene este nombre. Elija otro.',
    VIEW_TOO_MANY: 'Hay demasiadas vistas. Elimine una que no se use.',
    CALL_NOT_FOUND: 'Este cambio masivo ya no existe.',
    CALL_RUNNING: 'Este cambio masivo sigue en curso. Hay que esperar a que termine.',
    CALL_TOO_OLD:
      'Este cambio masivo es demasiado antiguo para deshacerlo: algunos de sus cambios ya no están en el historial.',
    CALL_EXCEEDS_SAFETY_LIMIT:
      'Afecta a más usuarios de los que permite el límite de seguridad. No se ha cambiado nada.',
    CALL_UNDONE: 'Este cambio masivo se deshizo antes de terminar. Hay que ejecutarlo de nuevo.',
    CALL_CONFIRMATION_REQUIRED:
      'El número de usuarios ha cambiado, así que no se ha hecho nada. Hay que revisar la vista previa y volver a confirmar.',
    CALL_MATCHES_TOO_MANY: 'Coinciden demasiados usuarios. Hay que añadir filtros y modificarlos por partes.',
    CALL_ITEM_OUTDATED:
      'Omitido, porque algo ha cambiado desde la vista previa. Si aún se desea, hay que obtener otra vista previa y ejecutarlo de nuevo.',
    CALL_STATE_CONFLICT: 'Ya se ha decidido sobre este cambio. Hay que volver a cargar la página.',
    CALL_APPROVAL_BY_AUTHOR:
      'Quien programa o asume un cambio no puede aprobarlo: debe hacerlo otra persona.',
    CALL_TOO_MANY_PLANNED:
      'Hay demasiados cambios programados. Hay que cancelar algunos o esperar a que se ejecuten.',
    CALL_NOT_UNDOABLE: 'Este cambio masivo borró usuarios definitivamente. No se puede deshacer.',
    IDEMPOTENCY_KEY_INVALID: reload,
    IDEMPOTENCY_KEY_REUSED: reload,
    IDEMPOTENCY_KEY_IN_USE:
      'La misma solicitud sigue en curso. Hay que esperar un momento e intentarlo de nuevo.',
    WEBHOOK_NOT_FOUND: 'Este webhook ya no existe. Hay que volver a cargar la página.',
    WEBHOOK_URL_REFUSED:
      'No se pueden enviar webhooks a esta URL. Debe ser una URL completa que empiece por https://, sin nombre de usuario, contraseña ni «#». No debe llevar a una red privada, salvo que la instalación lo permita.',
    EVENTS_PRUNED: 'Estos eventos ya no están disponibles. Hay que elegir un número mayor.',
    EVENTS_BUSY: 'El servicio está saturado. Conviene intentarlo de nuevo en un momento.',
    BACKUP_BUSY: 'Ya se está creando una copia de seguridad. Conviene intentarlo de nuevo cuando termine.',
    DIRECTORY_ENTRY_NOT_FOUND:
      'Este elemento ya no existe. Hay que cerrar el diálogo y volver a cargar la página.',
    DIRECTORY_ENTRY_EXISTS: 'Este ID ya está en uso. Hay que volver atrás y elegir otro.',
    DIRECTORY_ENTRY_IN_USE:
      'No se puede eliminar: hay usuarios que lo tienen u organizaciones que dependen de él.',
    ATTRIBUTE_NOT_FOUND: 'Este atributo ya no existe. Hay que recargar la página.',
    ATTRIBUTE_KEY_EXISTS: 'Otro atributo tiene esta clave. Hay que elegir otra.',
    ATTRIBUTE_IN_USE:
      'Hay usuarios con un valor de este atributo. Hay que vaciarlo antes o retirar el atributo.',
    ATTRIBUTE_TOO_MANY: 'No se pueden definir más atributos. Hay que eliminar uno antes.',
    ATTRIBUTE_NOT_UNIQUE:
      'Varios usuarios tienen el mismo valor. Hay que cambiar estos valores para que pueda ser único.',
    SCIM_TARGET_NOT_FOUND: 'Esta conexión ya no existe. Hay que volver a cargar la página.',
    SCIM_TARGET_URL_REFUSED:
      'No se pueden enviar usuarios a esta URL. Debe ser una URL completa que empiece por https://, sin nombre de usuario, contraseña, «?» ni «#». Tiene que ser accesible desde Internet, salvo que quien opera el servicio permita otros hosts.',
    FEED_NOT_FOUND: 'Este feed ya no existe. Recargue la página.',
    FEED_KEY_EXISTS: 'Otro feed tiene esta clave. Elija otra.',
    FEED_TOO_MANY: 'Hay demasiados feeds. Elimine uno antes.',
    FEED_RUN_NOT_FOUND: 'Esta ejecución ya no existe. Recargue la página.',
    FEED_RUN_STATE_CONFLICT: 'La ejecución ha avanzado entretanto. Recargue la página.',
    FEED_APPROVAL_BY_AUTHOR:
      'Usted ha subido este archivo, así que otra persona tiene que aprobar la ejecución.',
    FEED_FILE_GONE: 'El archivo de esta ejecución ya no está guardado y no se puede volver a leer.',
    FEED_BUSY: 'Una ejecución de este feed aún no ha terminado. Espere, apruébela o cancélela.',
    SCIM_REQUEST_INVALID: 'La solicitud del proveedor no tiene sentido.',
    SCIM_RESOURCE_NOT_FOUND: 'El proveedor pidió algo que ya no existe.',
    SCIM_FILTER_FORBIDDEN: 'El proveedor pidió algo que no se admite.',
    SCIM_REFERENCE_UNRESOLVED: 'Otra operación de la solicitud falló, o ambas se refieren la una a la otra.',
    SCIM_OPERATION_SKIPPED: 'La operación no se procesó porque fallaron demasiadas otras.',
    SCIM_DEACTIVATION_LIMIT:
      'El proveedor ha desactivado demasiados usuarios. Si es intencionado, se pueden permitir más.',
    SERVICE_UNAVAILABLE:
      'El servicio está saturado o no disponible. No se ha cambiado nada. Conviene intentarlo de nuevo en un momento.',
    SERVICE_OUTCOME_UNKNOWN:
      'Se perdió la conexión con la base de datos, así que el cambio puede haberse hecho o no. Hay que comprobarlo antes de intentarlo de nuevo.',
    SERVICE_INTERNAL_ERROR:
      'El servicio ha fallado de forma inesperada. Hay que intentarlo de nuevo. Si se repite, conviene avisar al administrador.',
  },

  retryIn: (duration) => `Ha habido demasiados intentos. Tiempo de espera hasta el próximo: ${duration}.`,
  invalidParent:
    'Hay que elegir otra organización superior. Una organización no puede depender de sí misma ni de una de sus dependencias, ni estar anidada a demasiada profundidad.',
  tooManyItems: (limit) => `Se pueden enviar como máximo ${formatNumber(limit)} filas de una vez.`,
  callState: (state) => `Ya se ha decidido sobre este cambio. Su estado es ahora: ${state}.`,
  changedSince: (fields) =>
    `Se ha dejado como está, porque desde entonces ha cambiado: ${fields.join(', ')}.`,
  erasedOn: (date) => `Los datos personales de este usuario se borraron definitivamente el ${date}.`,
  notFound: {
    plain: (employeeID) => `Ningún usuario tiene el número de empleado «${employeeID}».`,
    renamedByRow: (employeeID, row, newEmployeeID) =>
      `Ningún usuario tiene el número de empleado «${employeeID}», porque la fila ${formatNumber(row)} lo cambia a «${newEmployeeID}».`,
    renamed: (employeeID, newEmployeeID, date) =>
      `Ningún usuario tiene el número de empleado «${employeeID}». Se cambió a «${newEmployeeID}» el ${date}.`,
    removed: (employeeID, date) =>
      `Ningún usuario tiene el número de empleado «${employeeID}». El usuario que lo tenía se eliminó el ${date}.`,
    at: (employeeID, date) => `Ningún usuario tenía el número de empleado «${employeeID}» el ${date}.`,
  },
  taken: {
    employeeID: (value) => `El número de empleado «${value}» ya lo tiene otro usuario.`,
    username: (value) => `El nombre de usuario «${value}» ya lo tiene otro usuario.`,
  },
  takenByInactive: {
    employeeID: (value) => `El número de empleado «${value}» ya lo tiene un usuario inactivo.`,
    username: (value) => `El nombre de usuario «${value}» ya lo tiene un usuario inactivo.`,
  },
  takenByRow: {
    employeeID: (value, row) => `El número de empleado «${value}» ya lo ocupa la fila ${formatNumber(row)}.`,
    username: (value, row) => `El nombre de usuario «${value}» ya lo ocupa la fila ${formatNumber(row)}.`,
  },
  quarantined: {
    employeeID: (value, until) =>
      `El número de empleado «${value}» quedó libre hace poco. Hasta el ${until}, solo puede volver a tenerlo su último titular. Hay que elegir otro. Un administrador puede liberarlo antes.`,
    username: (value, until) =>
      `El nombre de usuario «${value}» quedó libre hace poco. Hasta el ${until}, solo puede volver a tenerlo su último titular. Hay que elegir otro. Un administrador puede liberarlo antes.`,
  },
  releasedByRow: {
    employeeID: (value, row) =>
      `El número de empleado «${value}» queda libre por la fila ${formatNumber(row)}. De momento, solo puede volver a tenerlo su último titular.`,
    username: (value, row) =>
      `El nombre de usuario «${value}» queda libre por la fila ${formatNumber(row)}. De momento, solo puede volver a tenerlo su último titular.`,
  },

  about: (field, sentence) => `${field}: ${sentence}`,
  required: 'Este campo es obligatorio.',
  notAccepted: 'Este campo no se puede establecer aquí.',
  managerCycle: (manager, user) => `${manager} ya depende de ${user}, directamente o a través de otros.`,
  notInDirectory: {
    organizationSerial: 'Esta organización no existe. Hay que añadirla antes o elegir otra.',
    tagSerials: 'Una de estas etiquetas no existe. Hay que añadirla antes o elegir otra.',
  },
  rules: {
    employeeID: alphanumeric,
    newEmployeeID: alphanumeric,
    username: alphanumeric,
    email: (max) =>
      `Una dirección como nombre@example.com, sin espacios y con ${formatNumber(max)} caracteres como máximo.`,
    text: singleLine,
    password: (max) => `${formatNumber(max)} caracteres como máximo.`,
    organizationSerial: (max) =>
      `Un ID de ${formatNumber(max)} caracteres como máximo, sin saltos de línea ni caracteres de control invisibles.`,
    managerEmployeeID: () =>
      'Nadie tiene este nombre o número de empleado. Hay que elegir un responsable de la lista.',
    list: (max, count) =>
      `${formatNumber(count)} ID como máximo, de hasta ${formatNumber(max)} caracteres cada uno, sin saltos de línea ni caracteres de control invisibles.`,
    boolean: () => 'Sí o no, activo o inactivo, verdadero o falso, 1 o 0.',
  },
  passwords: {
    length: (min, max) => `Debe tener entre ${formatNumber(min)} y ${formatNumber(max)} caracteres.`,
    characters: 'Esta contraseña contiene caracteres de control invisibles. Hay que quitarlos.',
    ownName: 'La contraseña no debe ser el nombre de usuario ni el número de empleado.',
    common: 'Es una de las contraseñas más habituales. Hay que elegir otra.',
    unchanged: 'Es la contraseña actual. Hay que elegir otra.',
    guessable: (words) =>
      `Esta contraseña es fácil de adivinar, porque se basa en ${listed.format(words)}. Hay que añadir más caracteres o elegir otra.`,
    words: {
      product: 'el nombre de este producto o de un rol',
      company: 'el nombre de la empresa',
      username: 'el nombre de usuario',
      employeeID: 'el número de empleado',
      email: 'el correo electrónico',
    },
  },
};

export const outageCopy: Translation<typeof englishOutage> = {
  waiting: 'No se puede acceder al servicio. Reconectando…',
  pageFailed: 'No se pudo mostrar esta página',
  pageFailedHint:
    'Hay que volver a cargar la página. Si el problema continúa, conviene avisar al administrador.',
  reload: 'Volver a cargar la página',
  notFoundHint: 'Puede que el enlace sea incorrecto o que la página se haya movido.',
  toStart: 'Ir a la página de inicio',
};
