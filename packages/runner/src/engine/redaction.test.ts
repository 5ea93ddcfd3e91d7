import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { createEngineRig } from '@roost/testkit/rigs/runner/engine-rig';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

/** Assembled from parts, so that no scanner takes this file for a leak. */
const SECRETS = [
	['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_'),
	['sk-ant', 'api03', 'Zx9'.repeat(31)].join('-'),
	['AKIA', 'IOSFODNN7QXAMPLQ'].join(''),
	['xoxb', '123456789012', '1234567890123', 'AbCdEfGhIjKlMnOpQrStUvWx'].join('-'),
];

describe('data on disk', () => {
	it('contains no secret from any field of a report', async () => {
		await using temp = await createTempDir();
		const store = unwrap(openSqliteStore({ path: join(temp.path, 'roost.db'), access: 'write' }));
		{
			await using rig = createEngineRig({ store });
			for (const secret of SECRETS) {
				rig.runtime.emit({ hookName: 'UserPromptSubmit', payload: { prompt: `use ${secret} please` } });
				rig.runtime.emit({
					hookName: 'PostToolUse',
					toolName: 'Bash',
					toolUseId: secret.slice(-4),
					payload: {
						tool_name: 'Bash',
						tool_input: { command: `curl -H "Authorization: Bearer ${secret}" https://example.com` },
						tool_use_id: secret.slice(-4),
						tool_response: { stdout: `{"token":"${secret}"}` },
					},
				});
				rig.runtime.emit({ hookName: 'NeverSeenBefore', payload: { nested: [{ deep: secret }] } });
			}
			await rig.engine.settled();
			expect(rig.stored()).toHaveLength(1 + 4 * SECRETS.length + (SECRETS.length - 1));
			expectNone(temp.path);
		}
		await store.close();
		expectNone(temp.path);
	});
});

/** Every byte of every file: the database, its write-ahead log, the heads. */
function expectNone(directory: string): void {
	const files = readdirSync(directory).map((name) => ({ name, bytes: readFileSync(join(directory, name)) }));
	expect(files.map((file) => file.name)).toContain('roost.db');
	for (const { name, bytes } of files) {
		for (const secret of SECRETS) expect(bytes.includes(secret), `${name} holds a secret`).toBe(false);
	}
}
