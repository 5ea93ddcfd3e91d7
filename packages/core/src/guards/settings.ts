// Variables that an agent which writes may not set: they make other programs load code, or work elsewhere.
import { fixedValue } from '../shell/guard-word.ts';
import type { Part } from './walk-line.ts';

export function whyNotSetting({ name, settings }: Part): string | undefined {
	for (const setting of settings) {
		const value = fixedValue(setting.value);
		if (setting.name === 'IFS' && name === 'read' && !setting.named) continue;
		if (PROGRAMS.test(setting.name)) {
			if (!HARMLESS_PROGRAM.test(value ?? '?'))
				return `${setting.name} would run a program: only true, : and cat are allowed there`;
		} else if (EVALUATED.test(setting.name)) {
			if (!/^\d+$/.test(value ?? '')) return `what ${setting.name} is set to is evaluated: only a plain number is allowed there`;
		} else if (TRACES.test(setting.name)) {
			if (!SWITCH.test(value ?? '?'))
				return `${setting.name} may write into a file: only 0, 1, 2, true and false are allowed there`;
		} else if (REFUSED.test(setting.name) && !ALLOWED.test(setting.name)) {
			return `${setting.name} changes what other programs load, or where they work: leave it alone`;
		}
	}
	return undefined;
}

/** Their value is a program. */
const PROGRAMS = /^(?:PAGER|EDITOR|VISUAL|BROWSER|GIT_(?:PAGER|EDITOR|SEQUENCE_EDITOR)|MANPAGER)$/;
const HARMLESS_PROGRAM = /^(?:|true|:|cat|less|vi|vim|nano|\/bin\/true)$/;

/** The shell takes their value for arithmetic, which may run something. */
const EVALUATED = /^(?:RANDOM|SRANDOM|SECONDS|LINENO|OPTIND|HISTCMD|BASHPID|EPOCHSECONDS)$/;

/** Where git writes its trace: a path is a file that it writes. */
const TRACES = /^GIT_TR(?:ACE|2)\w*$/;
const SWITCH = /^(?:[012]|true|false)?$/;

const REFUSED =
	/^(?:LD_|DYLD_|GIT_|ROOST_|BASH_|CDPATH$|ENV$|IFS$|PWD$|OLDPWD$|GLOBIGNORE$|SHELLOPTS$|BASHOPTS$|PROMPT_COMMAND$|PS[0-4]$|ZDOTDIR$)/;
const ALLOWED = /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$|^GIT_(?:TERMINAL_PROMPT|MERGE_AUTOEDIT|OPTIONAL_LOCKS)$/;
