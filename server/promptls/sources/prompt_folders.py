"""Hidden folders in which tools look for prompts, each with the tool and where that is said.

All other hidden folders are left out of a folder's run; the setting `promptFolders` adds more.
"""

from __future__ import annotations

PROMPT_FOLDERS = {
    ".agent": "Antigravity: rules, the older name (antigravity.google/docs/rules-workflows)",
    ".agents": "several agents: skills and rules (agentskills.io/specification)",
    ".amazonq": "Amazon Q Developer: rules (docs.aws.amazon.com/amazonq)",
    ".augment": "Augment: rules and guidelines (docs.augmentcode.com/cli/rules)",
    ".claude": "Claude Code: rules, skills, commands, agents (code.claude.com/docs/en/memory)",
    ".cline": "Cline: rules (docs.cline.bot/features/cline-rules)",
    ".clinerules": "Cline: rules and workflows (docs.cline.bot/features/cline-rules)",
    ".codex": "Codex: prompts and skills (developers.openai.com/codex)",
    ".continue": "Continue: rules and prompts (docs.continue.dev/customize/rules)",
    ".cursor": "Cursor: rules, commands, agents (cursor.com/docs/context/rules)",
    ".devin": "Devin: rules (docs.devin.ai/cli/extensibility/rules)",
    ".factory": "Factory: droids and commands (docs.factory.ai/harness/agents-md)",
    ".gemini": "Gemini CLI: GEMINI.md, skills, agents (geminicli.com/docs)",
    ".genaiscript": "GenAIScript: scripts and prompty files (microsoft.github.io/genaiscript)",
    ".github": "GitHub Copilot: instructions, prompts, agents (docs.github.com/copilot)",
    ".junie": "Junie: guidelines (jetbrains.com/help/junie)",
    ".kilo": "Kilo Code: rules (kilo.ai/docs)",
    ".kilocode": "Kilo Code: rules, the older name (kilo.ai/docs)",
    ".kiro": "Kiro: steering and specs (kiro.dev/docs/steering)",
    ".opencode": "OpenCode: agents and commands (opencode.ai/docs/agents)",
    ".openhands": "OpenHands: skills and microagents (docs.openhands.dev)",
    ".prompts": "prompts of a repository's own, by habit",
    ".qwen": "Qwen Code: agents, commands, rules (qwenlm.github.io/qwen-code-docs)",
    ".roo": "Roo Code: rules by mode, commands (docs.roocode.com/features/custom-instructions)",
    ".trae": "Trae: rules (docs.trae.ai/ide/rules)",
    ".windsurf": "Windsurf: rules and workflows (docs.windsurf.com/windsurf/cascade/memories)",
}
