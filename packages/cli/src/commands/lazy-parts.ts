// Parts of the command line that most commands do without: each is loaded when a command needs it, and not before.

export const loadRunnerConfig = () => import('@roost/home/config/load-config');
export const loadEffectiveConfig = () => import('@roost/home/config/effective-config');
export const loadKinds = () => import('@roost/agents/kinds');
export const loadProject = () => import('@roost/home/project');
export const loadDemo = () => import('../demo/open-demo.ts');
export const loadDemoHome = () => import('../demo/demo-home.ts');
export const loadPlainDemo = () => import('../demo/play-demo.ts');
export const loadObserved = () => import('../launch/launch-observed.ts');
export const loadReach = () => import('../runner/reach.ts');
export const loadWatch = () => import('../runner/watch-runner.ts');
export const loadStop = () => import('../runner/stop.ts');
export const loadInstalledSetup = () => import('../hooks/installed-setup.ts');
export const loadInstall = () => import('../install/install-roost.ts');
export const loadDoctor = () => import('../doctor/examine.ts');
