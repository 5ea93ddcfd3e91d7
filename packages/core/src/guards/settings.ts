// Variables that an agent which writes may not set: they make other programs load code, or work elsewhere.
import { fixedValue } from './guard-word.ts';
import type { Part } from './walk-line.ts';

export function whyNotSetting({ name, settings }: Part): string | undefined {
	for (const setting of settings) {
		const value = fixedValue(setting.value);
		if (setting.name === 'IFS' && name === 'read') continue;
		if (PROGRAMS.test(setting.name)) {
			if (!HARMLESS_PROGRAM.test(value ?? '?'))
				return `${setting.name} would run a program: only true, : and cat are allowed there`;
		} else if (REFUSED.test(setting.name) && !ALLOWED.test(setting.name)) {
			return `${setting.name} changes what other programs load, or where they work: leave it alone`;
		}
	}
	return undefined;
}

/** Their value is a program. */
const PROGRAMS = /^(?:PAGER|EDITOR|VISUAL|BROWSER|GIT_(?:PAGER|EDITOR|SEQUENCE_EDITOR)|MANPAGER)$/;
const HARMLESS_PROGRAM = /^(?:|true|:|cat|less|vi|vim|nano|\/bin\/true)$/;

const REFUSED = /^(?:LD_|DYLD_|GIT_|ROOST_|BASH_|CDPATH$|ENV$|IFS$|SHELLOPTS$|BASHOPTS$|PROMPT_COMMAND$|PS[0-4]$|ZDOTDIR$)/;
const ALLOWED = /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$|^GIT_(?:TERMINAL_PROMPT|TRACE\w*|MERGE_AUTOEDIT|OPTIONAL_LOCKS)$/;
