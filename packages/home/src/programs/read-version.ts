// What the answer of an agent's program to `--version` says: which version it is, or what is wrong with it. Pure.
import type { KnownAgent } from '@roost/agents/kind/agent-kind';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AgentProgram, ProgramProblem } from '@roost/protocol/api/agents';

export type Answer = { code: number | null; stdout: string; stderr: string };

type Known = Pick<KnownAgent, 'version' | 'oldest' | 'title'>;

/** Some print it where errors go. */
export function readVersion({ version: says, oldest, title }: Known, path: string, answer: Answer): AgentProgram {
	const version = (says.exec(answer.stdout) ?? says.exec(answer.stderr))?.[1];
	if (version === undefined) return { path, version: null, problem: whatElse(title, path, answer) };
	if (!isOlder(version, oldest)) return { path, version, problem: null };
	const sentence = `${title} ${version} is too old: Roost is known to work with ${oldest} and later, so update it.`;
	return { path, version, problem: { kind: 'too-old', sentence } };
}

function whatElse(title: string, path: string, { code, stdout, stderr }: Answer): ProgramProblem {
	const said = firstWords(code === 0 ? stdout || stderr : stderr || stdout);
	const words = said === '' ? 'it says nothing' : `it says "${said}"`;
	if (code === 0)
		return { kind: 'garbage', sentence: `${path} does not answer as ${title} does (${words}): another program has that name.` };
	const how = code === null ? 'was killed' : `failed with exit code ${code}`;
	const remedy = `run "${path} --version" yourself, and install it anew if that fails too`;
	return { kind: 'crashed', sentence: `${path} ${how} when it was asked for its version (${words}): ${remedy}.` };
}

const MOST_WORDS = 80;

function firstWords(text: string): string {
	const line = text.trim().split('\n')[0] ?? '';
	return sanitiseLine(line.length > MOST_WORDS ? `${line.slice(0, MOST_WORDS)}…` : line).trim();
}

/** By the numbers of both; what follows them does not count. */
function isOlder(version: string, oldest: string): boolean {
	const [a, b] = [toNumbers(version), toNumbers(oldest)];
	const at = b.findIndex((number, index) => number !== (a[index] ?? 0));
	return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

function toNumbers(version: string): number[] {
	return version.split('.').map((part) => Number.parseInt(part, 10));
}
