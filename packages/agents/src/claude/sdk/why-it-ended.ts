// Why the process of a driven Claude ended, as a sentence.

const RESULT_PREFIX = /^Claude Code returned an error result: /;

/** `error` is what the SDK threw; `complaint` the end of what the process wrote to stderr. */
export function whyItEnded(error: unknown, complaint: string): string {
	if (error === undefined) return 'Claude ended by itself.';
	const thrown = error instanceof Error ? error.message : String(error);
	if (RESULT_PREFIX.test(thrown)) return `Claude ended: ${asSentence(thrown.replace(RESULT_PREFIX, ''))}`;
	const said = complaint.split('\n').findLast((line) => line.trim() !== '');
	return said === undefined ? `Claude ended: ${asSentence(thrown)}` : `Claude ended: ${asSentence(said.trim())} (${thrown})`;
}

function asSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}
