/** Variables read by the commands that talk to a service. The service itself ignores them. */
export const commandVariables = {
  ROLLCALL_URL: 'URL of the service, such as `https://people.example.com`.',
  ROLLCALL_CLIENT_ID: 'ID of the client to authenticate as.',
  ROLLCALL_CLIENT_SECRET: 'Secret of the client.',
  ROLLCALL_CLIENT_SECRET_FILE: 'File that contains the client secret.',
  ROLLCALL_TOKEN: 'Access token to use instead of a client.',
  ROLLCALL_TOKEN_FILE: 'File that contains the token.',
} as const;
