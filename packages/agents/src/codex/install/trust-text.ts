// Trust in hooks as tables at the end of Codex' config.toml: added and removed as text, so that every other byte stays.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { tomlString } from '../toml.ts';

export type Trust = { key: string; hash: string };

/** Behind the header, because Codex keeps it there when it rewrites the file. */
const MARK = '# --roost-managed';

export function withTrust(text: string | null, trusts: readonly Trust[], path: string): Result<string> {
	const base = withoutTrust(text);
	const headers = new Map(trusts.map(({ key }) => [`[hooks.state.${tomlString(key)}]`, key]));
	const lines = (base ?? '').split('\n').map((line) => line.trim());
	if (setsInline(lines)) return err(refusal(path, 'it sets hooks or hooks.state as one value, which cannot be added to'));
	const taken = lines.find((line) => headers.has(line));
	if (taken !== undefined) return err(refusal(path, `it has ${taken} already`));
	const tables = trusts.map(({ key, hash }) => `[hooks.state.${tomlString(key)}] ${MARK}\ntrusted_hash = ${tomlString(hash)}\n`);
	return ok(`${base === null ? '' : `${base}\n`}${tables.join('')}`);
}

/** Each table with all that Codex may have added to it; null where nothing else was in the file. */
export function withoutTrust(text: string | null): string | null {
	if (text === null) return null;
	const left = text.replace(OURS, '');
	return left === '' && left !== text && !text.startsWith('\n') ? null : left;
}

const TABLES = `(?:\\[hooks\\.state\\.[^\\n]*\\] ${MARK}(?:\\n|$)(?:[^\\n#[][^\\n]*(?:\\n|$))*)+`;
/** With the line break that was added before them: it made an empty line, or ended one of the user's that ends the file again. */
const OURS = new RegExp(`\\n${TABLES}$|(?<=\\n)\\n${TABLES}|(?<=^|\\n)${TABLES}`, 'g');

function setsInline(lines: readonly string[]): boolean {
	let table = '';
	for (const line of lines) {
		table = /^\[+([^\]]*)\]/.exec(line)?.[1]?.trim() ?? table;
		if (table === '' && /^hooks\s*(?:\.\s*state\s*)?=/.test(line)) return true;
		if (table === 'hooks' && /^state\s*=/.test(line)) return true;
	}
	return false;
}

function refusal(path: string, why: string): AppError {
	return new AppError('conflict', `${path} was left as it is: ${why}. Fix this and retry.`);
}
