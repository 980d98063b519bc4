/** What the commands that talk to a service read; the service itself takes no notice of them. */
export const commandVariables = {
  ROLLCALL_URL: 'Where the service is, such as `https://people.example.com`.',
  ROLLCALL_CLIENT_ID: 'The client that the commands are.',
  ROLLCALL_CLIENT_SECRET: 'Its secret.',
  ROLLCALL_CLIENT_SECRET_FILE: 'A file that holds its secret.',
  ROLLCALL_TOKEN: 'An access token to use instead of a client.',
  ROLLCALL_TOKEN_FILE: 'A file that holds it.',
} as const;
