"""How bash, zsh and fish ask, and are answered (spec: command-line, L38).

A script of a few lines asks oxy itself. The first line of the answer says whether the shell is
to look for files too: `words`, `stem` (no space follows), `files` or `dirs`. The others are
words; zsh and fish are also told what each means.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from oxy.cli.completion.words import Completion

BASH = r"""# bash completion of oxy: put  eval "$(oxy completion bash)"  into ~/.bashrc.
_oxy() {
    local line kind=
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
    done < <("$1" completion bash -- "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
    case $kind in
        files) compopt -o default -o filenames ;;
        dirs) compopt -o dirnames -o filenames ;;
        stem) compopt -o nospace ;;
    esac 2>/dev/null
    if [[ $kind == files && ${#COMPREPLY[@]} -gt 0 ]]; then
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$2")
    fi
}
complete -F _oxy oxy
"""

ZSH = r"""#compdef oxy
# zsh completion of oxy: put  source <(oxy completion zsh)  into ~/.zshrc, after compinit.
_oxy() {
    local kind
    local -a answer
    answer=("${(@f)$(oxy completion zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    kind=$answer[1]
    shift answer
    case $kind in
        files) (( $#answer )) && _describe oxy answer; _files ;;
        dirs) (( $#answer )) && _describe oxy answer; _files -/ ;;
        stem) _describe oxy answer -S '' ;;
        words) _describe oxy answer ;;
    esac
}
if [ "$funcstack[1]" = _oxy ]; then _oxy "$@"; else compdef _oxy oxy; fi
"""

FISH = r"""# fish completion of oxy: oxy completion fish > ~/.config/fish/completions/oxy.fish
function __oxy_complete
    set -l words (commandline -opc) (commandline -ct)
    set -e words[1]
    set -l answer (oxy completion fish -- $words 2>/dev/null)
    set -l kind $answer[1]
    set -e answer[1]
    for line in $answer
        echo $line
    end
    switch "$kind"
        case files
            __fish_complete_path (commandline -ct)
        case dirs
            __fish_complete_directories (commandline -ct)
    end
end
complete -c oxy -f -a '(__oxy_complete)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def words_of_line(line: str) -> list[str]:
    """Return the words that follow `oxy` in a line of bash, the last one up to the cursor."""
    import shlex

    for ending in ("", "'", '"', "\\"):
        try:
            words = shlex.split(line.removesuffix("\\") + ending)
            break
        except ValueError:
            continue
    else:
        return [""]
    if not line or line[-1].isspace():
        words.append("")
    called = [index for index, word in enumerate(words) if os.path.basename(word) == "oxy"]
    return words[called[0] + 1 :] if called else words[1:]


def answer(shell: str, found: Completion, skipped: int = 0) -> Iterator[str]:
    """Yield the lines of an answer; `skipped` characters of each word stand there already."""
    kind = "stem" if found.is_stem else "words"
    yield "files" if found.files else "dirs" if found.dirs else kind
    for word, what in dict(found.words).items():
        if shell == "bash":
            yield word[skipped:]
        elif shell == "zsh":
            yield f"{word.replace(':', chr(92) + ':')}:{what}"
        else:
            yield f"{word}\t{what}"
