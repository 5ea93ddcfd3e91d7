// Terminals in words, the same in every face.
import type { TerminalControl } from '@roost/protocol/api/terminals';

export function controlWords(holder: Exclude<TerminalControl['holder'], 'you'>): string {
	return holder === 'other' ? 'another viewer has control' : 'no viewer has control';
}

/** "ended with exit code 1"; without the cause if it is not known. */
export function endedWords({ exitCode, signal }: { exitCode: number | null; signal?: number | null }): string {
	if (exitCode !== null) return `ended with exit code ${exitCode}`;
	return signal ? `ended by signal ${signal}` : 'ended';
}
