// roost asks prints requests in full, so that they can be decided without the terminal UI.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AskRow } from '@roost/protocol/ask';
import { fastAgent } from '@roost/testkit/rigs/agents/scripted-agents';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { type RunnerRig, startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

async function askFor(roost: RunnerRig, prompt: string): Promise<AskRow> {
	const session = await roost.startSession(prompt);
	return await waitFor(async () => unwrap(await roost.api.asks.list()).find(({ sessionId }) => sessionId === session), {
		what: 'the ask',
	});
}

describe('roost asks', { timeout: 120_000 }, () => {
	it('prints the command, the diff and the question, in the list and for a single ask', async () => {
		await using roost = await startRunner({ drives: fastAgent() });
		await mkdir(join(roost.folder, 'src'));
		await writeFile(join(roost.folder, 'src/health.ts'), `// ${TOKEN}\nexport function check() {\n\treturn ok();\n}\n`);
		const command = await askFor(roost, 'run the tests');
		const edit = await askFor(roost, 'fix the check');
		const question = await askFor(roost, 'choose one');
		const [listed, ofCommand, ofEdit, ofQuestion, json, none] = await driveCli(
			[
				['asks'],
				['asks', 'show', command.id],
				['asks', 'show', edit.id],
				['asks', 'show', question.id],
				['asks', 'show', edit.id, '--json'],
				['asks', 'show', 'nope'],
			],
			{ cwd: roost.folder, env: roost.env },
		);
		const diff = ['  3 - \treturn ok();', '  3 + \treturn (await db.ping()) ? ok() : down();'].map((line) =>
			line.replace('\t', '    '),
		);
		const asked = 'What shall the check answer while the database starts?';
		expect(listed).toMatchObject({ code: 0, stderr: '' });
		expect(listed?.stdout).toMatch(new RegExp(`${question.id} +pending +low +\\d+s +${asked.replace('?', '\\?')}\n`));
		for (const text of [`\n${command.id}\n  $ npm test\n`, ...diff, asked, '• 503']) expect(listed?.stdout).toContain(text);
		expect(ofCommand?.stdout).toContain('  $ npm test\n');
		expect(ofCommand?.stdout).toContain(`roost allow ${command.id}`);
		for (const text of [...diff, 'src/health.ts', '[redacted:']) expect(ofEdit?.stdout).toContain(text);
		expect(ofQuestion?.stdout).toContain(`  ${asked}\n  • 503\n  • 200\n`);
		expect(ofQuestion?.stdout).toContain(`roost answer ${question.id} --set "Question=Answer"`);
		expect(JSON.parse(json?.stdout ?? '')).toMatchObject({ id: edit.id, file: { state: 'text' } });
		for (const shown of [listed, ofEdit, json]) expect(shown?.stdout).not.toContain(TOKEN);
		expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('"nope"') });
	});
});
