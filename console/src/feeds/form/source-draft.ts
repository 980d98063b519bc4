import { type Source, withoutEmpty } from './feed.js';

export type SourceType = Source['type'];

/** The values of the form, as typed. Inputs of other types keep their values, so that a type can be tried out. */
export interface SourceDraft {
  readonly type: SourceType;
  readonly url: string;
  readonly httpsAuth: HttpsAuth;
  readonly host: string;
  readonly port: number | string;
  readonly username: string;
  readonly sftpAuth: SftpAuth;
  readonly hostKey: string;
  /** On a server, or in the folder of feeds. */
  readonly path: string;
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly objectKey: string;
  readonly accessKeyId: string;
}

export type HttpsAuth = 'none' | 'bearer' | 'basic';
export type SftpAuth = 'password' | 'key';
export type SourceInput = Exclude<keyof SourceDraft, 'type' | 'httpsAuth' | 'sftpAuth'>;

const sftpPort = 22;

export const newSource: SourceDraft = {
  ...{ type: 'https', url: '', httpsAuth: 'none', host: '', port: sftpPort, username: '' },
  ...{ sftpAuth: 'password', hostKey: '', path: '', endpoint: '', region: '', bucket: '' },
  ...{ objectKey: '', accessKeyId: '' },
};

export function sourceDraftOf(source: Source): SourceDraft {
  const draft = { ...newSource, type: source.type };
  switch (source.type) {
    case 'https': {
      const { url, auth, username } = source;
      return { ...draft, url, httpsAuth: auth ?? 'none', username: username ?? '' };
    }
    case 'sftp': {
      const { host, port, username, path, hostKey, auth } = source;
      const given = { host, username, path, port: port ?? sftpPort };
      return { ...draft, ...given, hostKey: hostKey ?? '', sftpAuth: auth ?? 'password' };
    }
    case 's3': {
      const { endpoint, region, bucket, key, accessKeyId } = source;
      return { ...draft, endpoint, region, bucket, accessKeyId, objectKey: key };
    }
    case 'folder':
      return { ...draft, path: source.path };
    case 'upload':
      return draft;
  }
}

/** What to send. */
export function sourceOf(draft: SourceDraft): Source {
  const text = (input: SourceInput) => String(draft[input]).trim();
  switch (draft.type) {
    case 'https': {
      const username = draft.httpsAuth === 'basic' ? text('username') : '';
      return withoutEmpty({ type: 'https', url: text('url'), auth: draft.httpsAuth, username });
    }
    case 'sftp':
      return withoutEmpty({
        ...{ type: 'sftp', host: text('host'), port: Number(draft.port), username: text('username') },
        ...{ path: text('path'), hostKey: text('hostKey'), auth: draft.sftpAuth },
      });
    case 's3':
      return {
        ...{ type: 's3', endpoint: text('endpoint'), region: text('region'), bucket: text('bucket') },
        ...{ key: text('objectKey'), accessKeyId: text('accessKeyId') },
      };
    case 'folder':
      return { type: 'folder', path: text('path') };
    case 'upload':
      return { type: 'upload' };
  }
}

/** What a source cannot do without, in the order of the form. */
export function requiredInputs({ type, httpsAuth }: SourceDraft): readonly SourceInput[] {
  switch (type) {
    case 'https':
      return httpsAuth === 'basic' ? ['url', 'username'] : ['url'];
    case 'sftp':
      return ['host', 'port', 'username', 'path'];
    case 's3':
      return ['endpoint', 'region', 'bucket', 'objectKey', 'accessKeyId'];
    case 'folder':
      return ['path'];
    case 'upload':
      return [];
  }
}

export type SecretKind = 'token' | 'password' | 'privateKey' | 'secretAccessKey';

/** What the source calls its secret; undefined if it needs none. */
export function secretKindOf({ type, httpsAuth, sftpAuth }: SourceDraft): SecretKind | undefined {
  if (type === 'https' && httpsAuth !== 'none') return httpsAuth === 'bearer' ? 'token' : 'password';
  if (type === 'sftp') return sftpAuth === 'key' ? 'privateKey' : 'password';
  return type === 's3' ? 'secretAccessKey' : undefined;
}

/** The service sends a stored secret only to the server and user that it was entered for. */
export function keepsSecret(before: SourceDraft, after: SourceDraft): boolean {
  const isOtherServer =
    after.type === 'sftp' && before.hostKey !== '' && after.hostKey.trim() !== before.hostKey;
  return (
    !isOtherServer &&
    secretKindOf(before) === secretKindOf(after) &&
    destinationOf(before) === destinationOf(after)
  );
}

function destinationOf(draft: SourceDraft): string {
  const source = sourceOf(draft);
  switch (source.type) {
    case 'https': {
      const origin = URL.canParse(source.url) ? new URL(source.url).origin : source.url;
      return JSON.stringify([source.type, origin, source.username]);
    }
    case 'sftp':
      return JSON.stringify([source.type, source.host, source.port, source.username]);
    case 's3':
      return JSON.stringify([source.type, source.endpoint, source.accessKeyId]);
    default:
      return source.type;
  }
}
