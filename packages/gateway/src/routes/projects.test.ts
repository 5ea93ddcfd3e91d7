import { startTestGateway } from '@roost/testkit/rigs/test-gateway';
import { describe, expect, it } from 'vitest';

const PROJECT = '0123456789abcdef';
const NATIVE = '5f0c8f7e-0000-4000-8000-000000000001';

describe('projects over HTTP', () => {
	it('are listed, and looked for on demand without waiting', async () => {
		await using rig = await startTestGateway();
		const nothing = { projects: [], problems: [], scannedAt: null, scanning: null };
		const listed = await rig.call({ path: '/api/v1/projects' });
		expect([listed.status, JSON.parse(listed.body)]).toEqual([200, nothing]);
		const scanned = await rig.post('/api/v1/projects/scan', {});
		expect([scanned.status, JSON.parse(scanned.body)]).toEqual([202, nothing]);
	});

	it.each([`/api/v1/projects/${PROJECT}/sessions`, `/api/v1/projects/${PROJECT}/sessions/${NATIVE}/events?after=3&limit=10`])(
		'are not found where there are none: %s',
		async (path) => {
			await using rig = await startTestGateway();
			expect((await rig.call({ path })).status).toBe(404);
		},
	);

	it.each([
		'/api/v1/projects/x/sessions',
		'/api/v1/projects/..%2f..%2fetc/sessions',
		`/api/v1/projects/${PROJECT}/sessions/--resume/events`,
		`/api/v1/projects/${PROJECT}/sessions/..%2f${NATIVE}/events`,
		`/api/v1/projects/${PROJECT}/sessions/${NATIVE}%0a/events`,
		`/api/v1/projects/${PROJECT}/sessions/${NATIVE}/events?limit=0`,
		`/api/v1/projects/${PROJECT}/sessions/${NATIVE}/events?limit=1001`,
		`/api/v1/projects/${PROJECT}/sessions/${NATIVE}/events?after=-1`,
	])('are refused by an id or a place that is none: %s', async (path) => {
		await using rig = await startTestGateway();
		expect((await rig.call({ path })).status).toBe(400);
	});
});
