// Why the process of Codex is gone, as a sentence that says what to do.
import { stripVTControlCharacters } from 'node:util';
import type { ProcessEnd } from '@roost/machine/line-process';

export function whyItEnded(end: ProcessEnd, program: string, complaint: string): string {
	if (end.type === 'not-started')
		return `Codex could not be started (${end.message}): check that "${program}" is there, or set "agents.codex.command".`;
	const last = lastWords(complaint);
	const how = end.signal === null ? `with exit code ${end.code ?? 'unknown'}` : `by ${end.signal}`;
	return `Codex ended ${how}${last === '' ? '.' : `: ${last}`}`;
}

const NO_NEWS = /^WARNING: proceeding|could not find bubblewrap/;

/** Of what it complained about the last line that says something, without colours and time. */
function lastWords(complaint: string): string {
	const lines = stripVTControlCharacters(complaint).split('\n');
	const told = lines.map((line) => line.replace(/^\d{4}-\d\d-\d\dT\S+\s+(?:ERROR|WARN|INFO)\s+/, '').trim());
	return told.findLast((line) => line !== '' && !NO_NEWS.test(line))?.slice(0, MAX_WORDS) ?? '';
}

const MAX_WORDS = 400;
