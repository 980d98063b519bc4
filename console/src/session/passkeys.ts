import { createClient, type RequestBody } from '@rollcall/client';

const client = createClient({ baseUrl: '' });

/** Loaded when first needed: most people sign in with a password. */
const webAuthn = () => import('@simplewebauthn/browser');

export type PasskeyAssertion = RequestBody<'openSessionWithPasskey'>['passkey'];
export type PasskeyAttestation = RequestBody<'addPasskey'>['passkey'];

/** Passkeys belong to a domain, and an IP address is none. */
export function supportsPasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(location.hostname);
}

export async function supportsAutofill(): Promise<boolean> {
  return supportsPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

type RequestOptions = Parameters<
  Awaited<ReturnType<typeof webAuthn>>['startAuthentication']
>[0]['optionsJSON'];
type CreationOptions = Parameters<
  Awaited<ReturnType<typeof webAuthn>>['startRegistration']
>[0]['optionsJSON'];

/** Asks the browser for a passkey. With autofill, it waits until the user picks one in the field for the name. */
export async function askForPasskey({ autofill = false } = {}): Promise<PasskeyAssertion> {
  const { startAuthentication } = await webAuthn();
  const { body } = await client.call('getPasskeyOptions', {});
  // The service only passes on what the library for browsers expects.
  const optionsJSON = body.data.options as unknown as RequestOptions;
  return (await startAuthentication({ optionsJSON, useBrowserAutofill: autofill })) as PasskeyAssertion;
}

/** Asks the browser to create a passkey. */
export async function createPasskey(options: object): Promise<PasskeyAttestation> {
  const { startRegistration } = await webAuthn();
  return (await startRegistration({ optionsJSON: options as CreationOptions })) as PasskeyAttestation;
}

/** The browser no longer offers passkeys in the field for the name. */
export async function stopAutofill(): Promise<void> {
  const { WebAuthnAbortService } = await webAuthn();
  WebAuthnAbortService.cancelCeremony();
}

/** The user has closed the dialog of the browser, or something else was asked for meanwhile. */
export function isPasskeyCancelled(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ['NotAllowedError', 'AbortError'].includes(error.name) || isAborted(error);
}

/** As the library calls it. */
function isAborted(error: Error): boolean {
  return 'code' in error && error.code === 'ERROR_CEREMONY_ABORTED';
}
