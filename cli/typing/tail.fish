# Is this the verb, one of those given? Without any: is there none yet?
function __halyard_verb
    set -l words (commandline -opc)
    if not count $argv >/dev/null
        test (count $words) -eq 1
        return
    end
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

# What the word may become.
function __halyard_kinds
    set -l word (string replace -r '^--[a-z0-9-]+=' '' -- (commandline -ct))
    set -l head ''
    set -l kinds $argv[1]
    if string match -q ',*' -- $kinds
        set kinds (string sub -s 2 -- $kinds)
        set head (string match -r '^.*,' -- $word)
    end
    for kind in (string split ' ' -- $kinds)
        switch $kind
            case @file
                __fish_complete_path $word
            case @folder
                __fish_complete_directories $word
            case @verb
                printf '%s\n' $__halyard_verbs
            case @directive
                printf '%s\n' $__halyard_directives
            case '@*'
                set -l suffix (string replace -r '@NAME$' '' -- (string sub -s 2 -- $kind))
                for file in $word*$suffix $word*/
                    echo $file
                end
                set -l file (string replace -r ':[^:]*$' '' -- $word)
                if string match -q '*@NAME' -- $kind; and string match -q "*$suffix" -- $file; and test -f $file
                    printf "$file:%s\n" (sed -nE 's/^[[:space:]]*schedule[[:space:]]+([A-Za-z_][A-Za-z0-9_]*)[[:space:]]+for([[:space:]].*)?$/\1/p' -- $file)
                end
            case '*'
                echo $head$kind
        end
    end
end
