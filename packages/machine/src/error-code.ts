// The code of a failed system call, such as ENOENT.

export function hasCode(cause: unknown, ...codes: readonly string[]): boolean {
	return cause instanceof Error && 'code' in cause && codes.some((code) => code === cause.code);
}
