"""What the rules find in public prompt files: a table by rule, for reading and judging findings.

`python scripts/measure_rules.py CLONES` reads the newest commit of each clone (bare or not) of
`SOURCES` that is found in the folder CLONES as `owner+name` or `owner/name`. Nothing is written but
what is asked for: `--findings FILE` takes each finding with its line and the lines around it, for
reading; `--judged FILE` is such a file in which `"false": true` marks what is no fault.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from promptls.reading.reading import read
from promptls.rules.checking import check
from promptls.sources.files import UnreadableText, decode, is_prompt

SOURCES = (
    "0xeb/TheBigPromptLibrary",
    "abetlen/llama-cpp-python",
    "abilzerian/LLM-Prompt-Library",
    "affaan-m/everything-claude-code",
    "agno-agi/agno",
    "Aider-AI/aider",
    "anthropics/skills",
    "asgeirtj/system_prompts_leaks",
    "Azure-Samples/azure-ai-studio-secure-bicep",
    "Azure-Samples/contoso-chat",
    "Azure-Samples/contoso-chat-csharp-prompty",
    "Azure-Samples/contoso-creative-writer",
    "Azure-Samples/summarization-openai-csharp-prompty",
    "Azure/awesome-azd",
    "bigscience-workshop/promptsource",
    "bmad-code-org/BMAD-METHOD",
    "BoundaryML/baml",
    "BoundaryML/baml-examples",
    "chigkim/prompt-test",
    "cline/prompts",
    "ComposioHQ/awesome-claude-skills",
    "congiuluc/my-awesome-copilot",
    "continuedev/continue",
    "danielmiessler/fabric",
    "deepset-ai/haystack",
    "dontriskit/awesome-ai-system-prompts",
    "e2b-dev/fragments",
    "elder-plinius/CL4R1T4S",
    "EleutherAI/lm-evaluation-harness",
    "explosion/spacy-llm",
    "f/awesome-chatgpt-prompts",
    "firebase/firebase-tools",
    "firebase/genkit",
    "geekan/MetaGPT",
    "getzep/graphiti",
    "github/awesome-copilot",
    "github/spec-kit",
    "google-gemini/gemini-cli",
    "google/adk-python",
    "google/dotprompt",
    "GoogleCloudPlatform/generative-ai",
    "gpt-engineer-org/gpt-engineer",
    "guidance-ai/guidance",
    "hesreallyhim/awesome-claude-code",
    "huggingface/smolagents",
    "hwchase17/langchain-hub",
    "infiniflow/ragflow",
    "instructor-ai/instructor",
    "jaktestowac/awesome-copilot-for-testers",
    "K-Dense-AI/claude-scientific-skills",
    "kinopeee/cursorrules",
    "kuafuai/DevOpsGPT",
    "langgptai/wonderful-prompts",
    "letta-ai/letta",
    "linshenkx/prompt-optimizer",
    "LouisShark/chatgpt_system_prompt",
    "mem0ai/mem0",
    "microsoft/azure-openai-dev-skills-orchestrator",
    "microsoft/chat-copilot",
    "microsoft/genaiscript",
    "microsoft/graphrag",
    "microsoft/hve-core",
    "microsoft/prompt-engine",
    "microsoft/promptbench",
    "microsoft/promptflow",
    "microsoft/PromptWizard",
    "microsoft/prompty",
    "microsoft/semantic-kernel",
    "microsoft/TypeAgent",
    "mistralai/mistral-common",
    "mshumer/gpt-prompt-engineer",
    "NVIDIA/NeMo-Guardrails",
    "obra/superpowers",
    "openai/chatgpt-retrieval-plugin",
    "openai/evals",
    "OpenHands/OpenHands",
    "PatrickJS/awesome-cursorrules",
    "PlexPt/awesome-chatgpt-prompts-zh",
    "princeton-nlp/tree-of-thought-llm",
    "prompt-security/ps-fuzz",
    "promptfile/promptfile",
    "promptfoo/promptfoo-docs",
    "pydantic/pydantic-ai",
    "Pythagora-io/gpt-pilot",
    "reworkd/AgentGPT",
    "RooCodeInc/Roo-Code",
    "sanjeed5/awesome-cursor-rules-mdc",
    "skosovsky/prompty",
    "stanfordnlp/dspy",
    "stitionai/devika",
    "SuperClaude-Org/SuperClaude_Framework",
    "SWE-agent/SWE-agent",
    "tatsu-lab/alpaca_eval",
    "usrrname/cursorrules",
    "VoltAgent/awesome-claude-code-subagents",
    "wshobson/agents",
    "x1xhlol/system-prompts-and-models-of-ai-tools",
    "xiyouqishui/promptfoo",
    "yzfly/wonderful-prompts",
)

# Kinds of prompt files, by the patterns of their names; the first that fits is a file's kind.
KINDS = {
    ".prompty": ("*.prompty",),
    "dotprompt, Continue, Promptfile": ("*.prompt", "*.promptfile"),
    ".prompt.md": ("*.prompt.md",),
    ".instructions.md": ("*.instructions.md", "copilot-instructions.md"),
    "agents": ("*.agent.md", "*.chatmode.md"),
    "skills": ("SKILL.md",),
    "Cursor rules": ("*.mdc", ".cursorrules", ".windsurfrules", ".clinerules"),
    "AGENTS.md": ("AGENTS.md", "CLAUDE.md", "GEMINI.md"),
    "GitHub Models": ("*.prompt.yml", "*.prompt.yaml"),
    "promptfoo": ("promptfooconfig*.yaml", "promptfooconfig*.yml"),
    "Semantic Kernel": ("skprompt.txt",),
    "BAML": ("*.baml",),
    "JSON Lines": ("*.jsonl",),
}
# Kinds of which a name says too little: they count in folders, or under names, of prompts.
KINDS_OF_FOLDERS = {
    "Jinja": (".j2", ".jinja", ".jinja2"),
    "Handlebars, Mustache": (".hbs", ".handlebars", ".mustache"),
    "YAML": (".yaml", ".yml"),
    "JSON": (".json",),
    "plain text": (".txt",),
    "Markdown": (".md",),
}
_OF_PROMPTS = re.compile(
    r"prompt|(?:^|/)(?:patterns|personas|skills?|agents|commands|rules|modes|instructions)/"
    r"|(?:system|instruction)[^/]*$",
    re.IGNORECASE,
)
_LARGEST = 300_000
# So many files of a kind at most come from one repository, lest it alone decides.
_MOST_OF_A_KIND = 120


@dataclass(frozen=True)
class File:
    """A prompt file of a clone, by the hash of its content."""

    clone: Path
    repository: str
    path: str
    kind: str
    blob: str


def kind_of(path: str) -> str | None:
    """The kind of a prompt file, by its path in the repository; None for other files."""
    name = path.rpartition("/")[2]
    for kind, patterns in KINDS.items():
        if any(fnmatchcase(name, pattern) for pattern in patterns):
            return kind
    if not _OF_PROMPTS.search(path):
        return None
    suffix = Path(name).suffix.lower()
    return next((kind for kind, suffixes in KINDS_OF_FOLDERS.items() if suffix in suffixes), None)


def files_of(clone: Path, repository: str) -> Iterator[File]:
    """The prompt files of a clone's newest commit, so many of each kind at most."""
    taken = Counter[str]()
    for entry in _git(clone, "ls-tree", "-r", "-l", "-z", "HEAD").decode("utf-8").split("\0"):
        meta, _, path = entry.partition("\t")
        mode, _, blob, size = meta.split() if meta else ("", "", "", "")
        kind = kind_of(path)
        if not kind or mode == "120000" or not size.isdigit() or int(size) > _LARGEST:
            continue
        taken[kind] += 1
        if taken[kind] <= _MOST_OF_A_KIND and "node_modules" not in path:
            yield File(clone, repository, path, kind, blob)


def findings_of(file: File) -> list[dict[str, Any]] | None:
    """What is found in a file at default settings; None where a run of its folder leaves it out."""
    try:
        text = decode(_git(file.clone, "cat-file", "blob", file.blob))
    except (UnreadableText, subprocess.CalledProcessError):
        return None
    if not is_prompt(Path(file.path), text):
        return None
    try:
        reading = read(text, file.path)
        findings = check(reading).findings
    except Exception as error:
        raise RuntimeError(f"{file.repository}/{file.path} can't be checked") from error
    rows = []
    for finding in findings:
        line = text.count("\n", 0, finding.start)
        around = text.split("\n")[max(line - 2, 0) : line + 4]
        rows.append(
            {
                "rule": finding.rule,
                "severity": str(finding.severity),
                "message": finding.message,
                "file": f"{file.repository}/{file.path}",
                "line": line + 1,
                "format": reading.format.name,
                "marked": text[finding.start : finding.end][:200],
                "around": [each[:300] for each in around],
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", type=Path, metavar="CLONES")
    parser.add_argument("--findings", type=Path, metavar="FILE")
    parser.add_argument("--judged", type=Path, metavar="FILE")
    args = parser.parse_args()
    files = list(_distinct(_all_files(args.clones)))
    with ProcessPoolExecutor(2) as pool:
        results = list(pool.map(findings_of, files, chunksize=32))
    read = [(file, rows) for file, rows in zip(files, results, strict=True) if rows is not None]
    rows = [row for _, found in read for row in found]
    if args.findings:
        args.findings.write_text("".join(json.dumps(row) + "\n" for row in rows))
    judged = args.judged.read_text().splitlines() if args.judged else []
    print(_kinds_table(file for file, _ in read))
    print(_rules_table(rows, len(read), [json.loads(line) for line in judged]))


def _all_files(clones: Path) -> Iterator[File]:
    for source in SOURCES:
        for folder in (clones / source.replace("/", "+"), clones / source):
            for clone in (folder, folder / "repo"):
                if (clone / "HEAD").is_file() or (clone / ".git").exists():
                    yield from files_of(clone, source)


def _distinct(files: Iterable[File]) -> Iterator[File]:
    """The files, each content once."""
    seen = set[str]()
    for file in files:
        if file.blob not in seen:
            seen.add(file.blob)
            yield file


def _kinds_table(files: Iterable[File]) -> str:
    count, sources = Counter[str](), defaultdict[str, set[str]](set)
    for file in files:
        count[file.kind] += 1
        sources[file.kind].add(file.repository)
    rows = [f"| {kind} | {n:,} | {len(sources[kind])} |" for kind, n in count.most_common()]
    everywhere = set[str]().union(*sources.values())
    total = f"| **all** | {count.total():,} | {len(everywhere)} |"
    return "\n".join(["| kind | files | repositories |", "|---|---:|---:|", *rows, total, ""])


def _rules_table(rows: list[dict[str, Any]], files: int, judged: list[dict[str, Any]]) -> str:
    count = Counter((row["rule"], row["severity"]) for row in rows)
    read, wrong = Counter(row["rule"] for row in judged), Counter[str]()
    wrong.update(row["rule"] for row in judged if row.get("false"))
    lines = [
        f"| {rule} | {severity} | {n:,} | {100 * n / files:.2f} | {read[rule]} | {wrong[rule]} |"
        for (rule, severity), n in count.most_common()
    ]
    head = "| rule | level | findings | per 100 files | judged | false |"
    return "\n".join([head, "|---|---|---:|---:|---:|---:|", *lines])


def _git(clone: Path, *arguments: str) -> bytes:
    command = ["git", "-C", str(clone), *arguments]
    return subprocess.run(command, capture_output=True, check=True, timeout=60).stdout


if __name__ == "__main__":
    main()
