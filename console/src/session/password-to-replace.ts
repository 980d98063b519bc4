/** The password that the user has signed in with and must replace. It is only kept in memory, and only until then. */
let password: string | undefined;

export function rememberPasswordToReplace(typed: string): void {
  password = typed;
}

export function passwordToReplace(): string | undefined {
  return password;
}

export function forgetPasswordToReplace(): void {
  password = undefined;
}
