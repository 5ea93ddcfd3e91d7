// Secrets that programs take as arguments under names that say nothing: `curl -u user:…`, `mysql -p…`, `sshpass -p …`.
import { type Add, isPlaceholder } from './mark.ts';

type Command = { hint: string; programs: RegExp; options: readonly RegExp[] };

const VALUE = `\\\\?["']?([^\\s"'\`;|&\\\\]{3,512})`;
const option = (source: string): RegExp => new RegExp(`(?<!\\S)(?:${source})${VALUE}`, 'dg');
const USER_AND = `\\\\?["']?[^\\s:"'\`;|&]{0,128}:([^\\s"'\`;|&\\\\]{1,512})`;

const COMMANDS: readonly Command[] = [
	{
		hint: 'curl',
		programs: /(?<![\w-])curl(?![\w-])/g,
		options: [
			new RegExp(`(?<!\\S)(?:-[a-zA-Z]{0,6}u\\s{0,4}|--(?:proxy-)?user[ =]\\s{0,4}|-U\\s{1,4})${USER_AND}`, 'dg'),
			/(?<!\S)(?:-b\s{0,4}|--cookie[ =])\\?["']?([\w.$-]{1,128}=[^"'\n]{4,2048}?)(?=\\?["']|\s|$)/dg,
		],
	},
	{ hint: 'wget', programs: /(?<![\w-])wget(?![\w-])/g, options: [option('--(?:http-|ftp-|proxy-)?password[ =]')] },
	{ hint: 'http', programs: /(?<![\w-])https?(?= )/g, options: [new RegExp(`(?<!\\S)(?:-a|--auth)[ =]${USER_AND}`, 'dg')] },
	{ hint: 'sshpass', programs: /(?<![\w-])sshpass(?![\w-])/g, options: [option('-p\\s{0,4}')] },
	{
		hint: 'login',
		programs: /(?<![\w-])(?:docker|podman|buildah|skopeo|nerdctl|helm|oc|az|cf|ibmcloud|acorn)\s(?:[\w-]{1,20}\s){0,2}login\b/g,
		options: [option('-p\\s{0,4}|--password[ =]')],
	},
	{ hint: 'mysql', programs: /(?<![\w-])mysql(?:dump|admin|import|show|check|pump|sh)?(?![\w-])/g, options: [option('-p')] },
	{ hint: 'mariadb', programs: /(?<![\w-])mariadb(?:-dump|-admin)?(?![\w-])/g, options: [option('-p')] },
	{ hint: 'redis-cli', programs: /(?<![\w-])redis-cli(?![\w-])/g, options: [option('-a\\s{1,4}|--pass[ =]')] },
	{ hint: 'mongo', programs: /(?<![\w-])mongo(?:sh|dump|restore|export|import)?(?![\w-])/g, options: [option('-p\\s{0,4}')] },
	{
		hint: 'ldap',
		programs: /(?<![\w-])ldap(?:search|modify|add|delete|passwd|whoami)(?![\w-])/g,
		options: [option('-w\\s{0,4}')],
	},
	{
		hint: 'smbclient',
		programs: /(?<![\w-])smbclient(?![\w-])/g,
		options: [/(?<!\S)-U\s{0,4}\\?["']?[^\s%"']{1,128}%([^\s"'\\]{1,256})/dg],
	},
	{ hint: 'mosquitto', programs: /(?<![\w-])mosquitto_(?:pub|sub)(?![\w-])/g, options: [option('-P\\s{0,4}')] },
	{ hint: 'zip', programs: /(?<![\w-])(?:un)?zip(?= )/g, options: [option('-P\\s{0,4}')] },
	{ hint: '7z', programs: /(?<![\w-])7za?(?= )/g, options: [option('-p')] },
	{
		hint: 'htpasswd',
		programs: /(?<![\w-])htpasswd(?![\w-])/g,
		options: [/(?<!\S)-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\s{1,4}\S{1,256}\s{1,4}\S{1,128}\s{1,4}([^\s"'\\]{3,256})/dg],
	},
	{
		hint: 'pass:',
		programs: /(?<![\w-])(?:openssl|keytool)(?![\w-])/g,
		options: [/(?<!\S)-(?:pass|passin|passout)\s{1,4}pass:([^\s"'\\]{3,256})/dg],
	},
	{ hint: 'keytool', programs: /(?<![\w-])keytool(?![\w-])/g, options: [option('-(?:store|key|src|dest)pass(?:word)?\\s{1,4}')] },
	{ hint: 'xfreerdp', programs: /(?<![\w-])xfreerdp(?![\w-])/g, options: [/(?<!\S)\/p:([^\s"'\\]{3,256})/dg] },
	{ hint: 'net use', programs: /(?<![\w-])net use(?![\w-])/g, options: [/\/user:\S{1,128}\s{1,4}([^\s"'\\]{4,256})/dg] },
	{
		hint: 'chpasswd',
		programs: /(?<![\w-])echo(?![\w-])/g,
		options: [/(?<=echo\s{1,4}\\?["']?)[\w.-]{1,64}:([^\s"'\\|]{3,256})(?=\\?["']?\s{0,4}\|\s{0,4}(?:sudo\s)?chpasswd)/dg],
	},
];

/** A possible option: most text has none. */
const OPTION = /\s[-/][A-Za-z]|chpasswd/;

/** The searched length of a command line. */
const LONGEST = 2048;

export function findCommandSecrets(text: string, add: Add): void {
	if (!OPTION.test(text)) return;
	for (const { hint, programs, options } of COMMANDS) {
		if (!text.includes(hint)) continue;
		let done = 0;
		for (const { index } of text.matchAll(programs)) if (index >= done) done = findInLine(text, index, options, add);
	}
}

/** Returns the end of the searched part: another program of the same name inside it needs no search of its own. */
function findInLine(text: string, start: number, options: readonly RegExp[], add: Add): number {
	const line = lineFrom(text, start);
	for (const shape of options) {
		for (const match of line.matchAll(shape)) {
			const group = match.indices?.[1];
			if (group && !isPlaceholder(match[1] ?? '')) add('argument', start + group[0], start + group[1]);
		}
	}
	return start + line.length - (line.length === LONGEST ? OVERLAP : 0);
}

/** The end of a truncated window is searched again. */
const OVERLAP = 512;

/** To the end of the line, including continuation lines. */
function lineFrom(text: string, start: number): string {
	const window = text.slice(start, start + LONGEST);
	const end = /(?<!\\)\r?\n/.exec(window)?.index;
	return end === undefined ? window : window.slice(0, end);
}

/** For the test that none of them can overflow. */
export const COMMAND_SHAPES: readonly RegExp[] = COMMANDS.flatMap(({ programs, options }) => [programs, ...options]);
