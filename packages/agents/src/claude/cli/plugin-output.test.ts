import { readCliSample } from '@roost/testkit/samples/claude-cli-samples';
import { describe, expect, it } from 'vitest';
import { parseMarketplaceList, parsePluginList } from './cli-output.ts';

describe('plugin list', () => {
	it('is parsed from JSON with the extra fields of each plugin', () => {
		expect(parsePluginList(readCliSample('plugin-list-json2').stdout)).toEqual({
			plugins: [
				{
					id: 'labplug@labmkt',
					version: '0.0.1',
					scope: 'user',
					enabled: true,
					more: expect.objectContaining({ projectEnabled: false, folderVersion: '0.0.1' }),
				},
			],
			available: [],
			unread: '',
		});
		expect(parsePluginList(readCliSample('plugin-list-json').stdout)).toEqual({ plugins: [], available: [], unread: '' });
	});

	it('includes plugins available from marketplaces', () => {
		expect(parsePluginList(readCliSample('plugin-list-available').stdout)).toEqual({
			plugins: [],
			available: [{ id: 'labplug@labmkt', description: 'A small plugin' }],
			unread: '',
		});
	});

	it('is parsed from text if there is no JSON', () => {
		expect(parsePluginList(readCliSample('plugin-list2').stdout)).toEqual({
			plugins: [
				{
					id: 'labplug@labmkt',
					version: '0.0.1',
					scope: 'user',
					enabled: true,
					more: { 'Read from': '/home/dev/lab/mkt/plugins/labplug', Status: '✔ enabled' },
				},
			],
			available: [],
			unread: '',
		});
		expect(parsePluginList(readCliSample('plugin-list').stdout)).toEqual({ plugins: [], available: [], unread: '' });
	});

	it('treats a plugin as disabled unless it is reported as enabled', () => {
		const text = '❯ a@b\n  Status: ✘ not enabled\n❯ c@d\n';
		expect(parsePluginList(text).plugins.map(({ id, enabled }) => [id, enabled])).toEqual([
			['a@b', false],
			['c@d', false],
		]);
	});

	it.each([
		['[{"id":"a@b","enabled":true},{"id":7},"x",null]', '{"id":7}\n"x"\nnull'],
		['{"plugins":[]}', '{"plugins":[]}'],
		['Something\nelse entirely', 'Something\nelse entirely'],
		['', ''],
	])('keeps unrecognized output: %j', (stdout, unread) => {
		expect(parsePluginList(stdout).unread).toBe(unread);
	});
});

describe('marketplace list', () => {
	it('is parsed from JSON', () => {
		expect(parseMarketplaceList(readCliSample('mkt-list-json2').stdout)).toEqual({
			marketplaces: [{ name: 'labmkt', source: 'directory', place: '/home/dev/lab/mkt' }],
			unread: '',
		});
		expect(parseMarketplaceList(readCliSample('mkt-list-json').stdout)).toEqual({ marketplaces: [], unread: '' });
	});

	it('keeps unrecognized output', () => {
		const { stdout } = readCliSample('mkt-list-text');
		expect(parseMarketplaceList(stdout)).toEqual({ marketplaces: [], unread: stdout.trim() });
		expect(parseMarketplaceList('[{"name":1}]').unread).toBe('{"name":1}');
	});
});
