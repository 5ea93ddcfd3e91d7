import { readCliSample } from '@roost/testkit/samples/claude-cli-samples';
import { describe, expect, it } from 'vitest';
import { parseMarketplaceList, parsePluginList } from './cli-output.ts';

describe('the list of plugins', () => {
	it('is read from JSON, with what else is said of each', () => {
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

	it('names what the marketplaces offer', () => {
		expect(parsePluginList(readCliSample('plugin-list-available').stdout)).toEqual({
			plugins: [],
			available: [{ id: 'labplug@labmkt', description: 'A small plugin' }],
			unread: '',
		});
	});

	it('is read from text where there is no JSON', () => {
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

	it('takes no plugin for enabled that does not say so', () => {
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
	])('keeps what it does not understand: %j', (stdout, unread) => {
		expect(parsePluginList(stdout).unread).toBe(unread);
	});
});

describe('the list of marketplaces', () => {
	it('is read from JSON', () => {
		expect(parseMarketplaceList(readCliSample('mkt-list-json2').stdout)).toEqual({
			marketplaces: [{ name: 'labmkt', source: 'directory', place: '/home/dev/lab/mkt' }],
			unread: '',
		});
		expect(parseMarketplaceList(readCliSample('mkt-list-json').stdout)).toEqual({ marketplaces: [], unread: '' });
	});

	it('keeps what it does not understand', () => {
		const { stdout } = readCliSample('mkt-list-text');
		expect(parseMarketplaceList(stdout)).toEqual({ marketplaces: [], unread: stdout.trim() });
		expect(parseMarketplaceList('[{"name":1}]').unread).toBe('{"name":1}');
	});
});
