// The code of a failed system call.

/** Whether it failed with one of these codes (ENOENT, EEXIST …). */
export function hasCode(cause: unknown, ...codes: readonly string[]): boolean {
	return cause instanceof Error && 'code' in cause && codes.some((code) => code === cause.code);
}
