// Why the process of a driven Claude ended, as a sentence.

const CHECK = 'check that "agents.claude.command" is Claude';
export const NOT_READY = `Claude did not become ready: ${CHECK}.`;
export const NEVER_READY = `Claude ended before it was ready: ${CHECK}.`;

/** In the words of the SDK, which are for who programs with it. */
const NOT_THERE = /\b(?:binary|executable) not found at (\S+?)\.?(?:\s|$)|\bENOENT\b/;
const RESULT_PREFIX = /^Claude Code returned an error result: /;

/** `error` is what the SDK threw; `complaint` the end of what the process wrote to stderr. */
export function whyItEnded(error: unknown, complaint: string): string {
	if (error === undefined) return 'Claude ended by itself.';
	const thrown = error instanceof Error ? error.message : String(error);
	const missing = complaint === '' ? NOT_THERE.exec(thrown) : null;
	if (missing) return `Claude could not be started (${missing[1] ?? thrown} is not there): ${CHECK}.`;
	if (RESULT_PREFIX.test(thrown)) return `Claude ended: ${asSentence(thrown.replace(RESULT_PREFIX, ''))}`;
	const said = complaint.split('\n').findLast((line) => line.trim() !== '');
	return said === undefined ? `Claude ended: ${asSentence(thrown)}` : `Claude ended: ${asSentence(said.trim())} (${thrown})`;
}

function asSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}
