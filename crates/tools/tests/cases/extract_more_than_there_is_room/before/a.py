def function_0(argument):
    return 0

def function_1(argument):
    return 1

def function_2(argument):
    return 2

def function_3(argument):
    return 3

def function_4(argument):
    return 4

def function_5(argument):
    return 5

def function_6(argument):
    return 6

def function_7(argument):
    return 7

def function_8(argument):
    return 8

def function_9(argument):
    return 9

def function_10(argument):
    return 10

def function_11(argument):
    return 11

def function_12(argument):
    return 12

def function_13(argument):
    return 13

def function_14(argument):
    return 14

def function_15(argument):
    return 15

def function_16(argument):
    return 16

def function_17(argument):
    return 17

def function_18(argument):
    return 18

def function_19(argument):
    return 19

def function_20(argument):
    return 20

def function_21(argument):
    return 21

def function_22(argument):
    return 22

def function_23(argument):
    return 23

def function_24(argument):
    return 24

def function_25(argument):
    return 25

def function_26(argument):
    return 26

def function_27(argument):
    return 27

def function_28(argument):
    return 28

def function_29(argument):
    return 29

def function_30(argument):
    return 30

def function_31(argument):
    return 31

def function_32(argument):
    return 32

def function_33(argument):
    return 33

def function_34(argument):
    return 34

def function_35(argument):
    return 35

def function_36(argument):
    return 36

def function_37(argument):
    return 37

def function_38(argument):
    return 38

def function_39(argument):
    return 39

