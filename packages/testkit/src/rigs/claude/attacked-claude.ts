// `roost claude -p` in a repository that wants to act without anybody's decision: nobody answers, and whatever ran left a canary.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';
import type { ClaudeAttack } from '../../corpora/claude-attacks.ts';
import { type Block, callTool, message, say } from '../../fakes/model-reply.ts';
import type { Script } from '../../fakes/script.ts';
import { type Exit, startProgram } from '../program.ts';
import { putFiles } from '../put-files.ts';
import { roostArgv, roostEnv } from '../runner/roost-cli.ts';
import { type ClaudeRig, createClaudeRig } from './claude-rig.ts';

export type AttackedClaude = AsyncDisposable & {
	readonly claude: ClaudeRig;
	readonly env: Readonly<Record<string, string>>;
	/** One command of Roost, in the repository. */
	roost(...args: readonly string[]): Promise<Exit>;
	/** The attack itself, after these flags of Roost's own. */
	attack(...flags: readonly string[]): Promise<Exit>;
	/** The names of what ran: canaries, and files that appeared in the repository. */
	ran(): Promise<string[]>;
	/** Every fact of that kind, in all sessions. */
	facts(kind: string): Promise<StoredLine['event'][]>;
};

const DEADLINE_MS = 90_000;
/** Long enough for a rule to answer, and short because nobody will. */
const NOBODY_ANSWERS_MS = 300;

export type AttackOptions = { trusted?: boolean; approvalTimeoutMs?: number };

export async function openAttackedClaude(attack: ClaudeAttack, options: AttackOptions = {}): Promise<AttackedClaude> {
	const { trusted = true, approvalTimeoutMs = NOBODY_ANSWERS_MS } = options;
	await using stack = new AsyncDisposableStack();
	const { script, fill } = scriptCalls(attack.calls);
	const claude = stack.use(await createClaudeRig({ script }));
	const canaries = join(claude.home, 'canaries');
	await mkdir(canaries);
	fill((text) => text.replaceAll('CANARY', canaries).replaceAll('PROJECT', claude.project));
	const filled = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('CANARY', canaries));
	await putFiles(claude.project, filled(attack.project ?? {}));
	await putFiles(claude.configDir, filled(attack.user ?? {}));
	if (!trusted) await forgetTrust(claude);
	const before = new Set(await readdir(claude.project));
	const env = { ...(await roostEnv(claude)), ...attack.env };
	await putFiles(env.ROOST_HOME ?? '', { 'config.yaml': { runner: { port: 0 }, sdk: { approvalTimeoutMs } } });
	const roost = async (...args: readonly string[]) => {
		await using program = await startProgram(roostArgv(...args), { cwd: claude.project, env });
		return await program.waitForExit(DEADLINE_MS);
	};
	const owned = stack.move();
	return {
		claude,
		env,
		roost,
		attack: (...flags) => roost(...flags, 'claude', '-p', attack.prompt ?? 'go', ...filled(attack.args ?? [])),
		async ran() {
			const appeared = (await readdir(claude.project)).filter((name) => !before.has(name));
			return [...(await readdir(canaries)), ...appeared].sort();
		},
		async facts(kind) {
			const sessions: { id: string }[] = JSON.parse((await roost('sessions', '--all', '--json')).stdout);
			const feeds = await Promise.all(sessions.map(({ id }) => roost('feed', id, '--kind', kind, '--json')));
			const lines = feeds.flatMap(({ stdout }) => stdout.split('\n').filter((line) => line !== ''));
			return lines.map((line) => storedLine.parse(JSON.parse(line)).event);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

const COMMAND_AND_FILE: readonly Block[] = [
	callTool('Bash', { command: 'touch CANARY/bash', description: 'x' }),
	callTool('Write', { file_path: 'PROJECT/written', content: 'x' }),
];

/** One call after the other, and a command in every subagent. */
function scriptCalls(calls: readonly Block[] = COMMAND_AND_FILE): { script: Script; fill(how: (text: string) => string): void } {
	let filled = (text: string) => text;
	const toBlock = (block: Block): Block => JSON.parse(filled(JSON.stringify(block)));
	return {
		fill(how) {
			filled = how;
		},
		script({ agent, messages }) {
			const done = messages.filter(({ role }) => role === 'assistant').length;
			const own = agent === 'main' ? calls[done] : done === 0 ? IN_SUBAGENT : undefined;
			return message([own ? toBlock(own) : say('Over.')]);
		},
	};
}

const IN_SUBAGENT = callTool('Bash', { command: 'touch CANARY/subagent', description: 'x' });

async function forgetTrust({ configDir }: ClaudeRig): Promise<void> {
	const path = join(configDir, '.claude.json');
	const { projects: _, ...config } = JSON.parse(await readFile(path, 'utf8'));
	await writeFile(path, JSON.stringify(config));
}
