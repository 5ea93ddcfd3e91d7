// The only door from the command line to the runner: each part is loaded when a command needs it, and not before.

export const loadRunnerConfig = () => import('@roost/runner/config/load-config');
export const loadEffectiveConfig = () => import('@roost/runner/config/effective-config');
export const loadRecord = () => import('@roost/runner/record');
export const loadSearch = () => import('@roost/runner/record-search');
export const loadVerify = () => import('@roost/runner/verify-record');
export const loadVerifyExport = () => import('@roost/runner/verify-export');
export const loadUsage = () => import('@roost/runner/record-usage');
export const loadHeadlessTerminal = () => import('@roost/runner/terminals/headless-terminal');
export const loadClaudePermissions = () => import('@roost/runner/rules/claude-permissions');
export const loadProject = () => import('@roost/runner/project');
export const loadDemo = () => import('@roost/runner/demo/open-demo');
export const loadDemoHome = () => import('@roost/runner/demo/demo-home');
export const loadPlainDemo = () => import('@roost/runner/demo/play-demo');
export const loadClaude = () => import('@roost/runner/observed/launch-claude');
export const loadObserved = () => import('@roost/runner/observed/launch-observed');
export const loadServe = () => import('@roost/runner/serve');
export const loadReach = () => import('@roost/runner/life/reach');
export const loadWatch = () => import('@roost/runner/life/watch-runner');
export const loadStop = () => import('@roost/runner/life/stop');
export const loadInstalledSetup = () => import('@roost/runner/observed/installed-setup');
export const loadInstall = () => import('@roost/runner/install/install-roost');
export const loadDoctor = () => import('@roost/runner/doctor/examine');
