; What is emitted of whole.tgt for x86-64-v3, after LLVM's passes; metadata, attributes and entries are left out.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define internal i32 @whole_slots(ptr %0) {
entry:
  %in = load ptr, ptr %0, align 8
  %1 = getelementptr inbounds i8, ptr %0, i64 8
  %min = load i64, ptr %1, align 8
  %2 = getelementptr inbounds i8, ptr %0, i64 32
  %b = load ptr, ptr %2, align 8
  %3 = getelementptr inbounds i8, ptr %0, i64 40
  %min1 = load i64, ptr %3, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 64
  %out = load ptr, ptr %4, align 8
  %5 = getelementptr inbounds i8, ptr %0, i64 72
  %min4 = load i64, ptr %5, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 80
  %len5 = load i64, ptr %6, align 8
  %7 = icmp eq i64 %len5, 0
  br i1 %7, label %leave, label %window

leave:
  %status.0 = phi i32 [ 0, %entry ], [ %42, %fails ], [ 0, %holds ], [ 0, %vec.epilog.middle.block ], [ 0, %middle.block ], [ 0, %loop ]
  ret i32 %status.0

window:
  %8 = getelementptr inbounds i8, ptr %0, i64 48
  %len2 = load i64, ptr %8, align 8
  %9 = getelementptr inbounds i8, ptr %0, i64 16
  %len = load i64, ptr %9, align 8
  %10 = add i64 %min4, 2147483648
  %11 = icmp ult i64 %10, 4294967297
  %12 = icmp ult i64 %len5, 2147483649
  %13 = add i64 %min, 2147483648
  %14 = icmp ult i64 %13, 4294967297
  %15 = icmp ult i64 %len, 2147483649
  %16 = add i64 %min1, 2147483648
  %17 = icmp ult i64 %16, 4294967297
  %18 = icmp ult i64 %len2, 2147483649
  %19 = icmp sle i64 %min, %min4
  %20 = add i64 %len5, 1
  %21 = add i64 %min4, %20
  %22 = add i64 %min, %len
  %23 = icmp sle i64 %21, %22
  %24 = and i1 %19, %23
  %25 = icmp sle i64 %min1, %min4
  %26 = add i64 %min1, %len2
  %27 = icmp sle i64 %21, %26
  %28 = and i1 %25, %27
  %29 = and i1 %12, %28
  %30 = and i1 %29, %11
  %31 = and i1 %30, %14
  %32 = and i1 %31, %15
  %33 = and i1 %32, %17
  %34 = and i1 %33, %18
  %35 = and i1 %34, %24
  br i1 %35, label %holds, label %fails

fails:
  %36 = select i1 %24, i32 8, i32 7
  %37 = select i1 %18, i32 %36, i32 6
  %38 = select i1 %17, i32 %37, i32 5
  %39 = select i1 %15, i32 %38, i32 4
  %40 = select i1 %14, i32 %39, i32 3
  %41 = select i1 %12, i32 %40, i32 2
  %42 = select i1 %11, i32 %41, i32 1
  br label %leave

holds:
  %43 = icmp sgt i64 %len5, 0
  br i1 %43, label %iter.check, label %leave

iter.check:
  %44 = sub i64 %min4, %min
  %45 = getelementptr i16, ptr %in, i64 %44
  %46 = sub i64 %min4, %min1
  %47 = getelementptr i8, ptr %b, i64 %46
  %min.iters.check = icmp ult i64 %len5, 8
  br i1 %min.iters.check, label %loop.preheader, label %vector.main.loop.iter.check

vector.main.loop.iter.check:
  %min.iters.check16 = icmp ult i64 %len5, 16
  br i1 %min.iters.check16, label %vec.epilog.ph, label %vector.ph

vector.ph:
  %n.mod.vf = and i64 %len5, 8
  %n.vec = and i64 %len5, 9223372036854775792
  br label %vector.body

vector.body:
  %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %48 = getelementptr i16, ptr %45, i64 %index
  %wide.load = load <16 x i16>, ptr %48, align 2
  %49 = getelementptr i8, ptr %48, i64 2
  %wide.load17 = load <16 x i16>, ptr %49, align 2
  %50 = sub <16 x i16> %wide.load, %wide.load17
  %51 = freeze <16 x i16> %50
  %52 = icmp slt <16 x i16> %51, %wide.load
  %53 = ashr <16 x i16> %51, <i16 15, i16 15, i16 15, i16 15, i16 15, i16 15, i16 15, i16 15, i16 15, i16 15, i16 15, i16 15, i16 15, i16 15, i16 15, i16 15>
  %54 = xor <16 x i16> %51, %53
  %55 = udiv <16 x i16> %54, <i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3>
  %56 = xor <16 x i16> %55, %53
  %57 = and <16 x i16> %51, <i16 7, i16 7, i16 7, i16 7, i16 7, i16 7, i16 7, i16 7, i16 7, i16 7, i16 7, i16 7, i16 7, i16 7, i16 7, i16 7>
  %58 = add <16 x i16> %56, %57
  %59 = getelementptr i8, ptr %47, i64 %index
  %wide.load18 = load <16 x i8>, ptr %59, align 1
  %60 = zext <16 x i8> %wide.load18 to <16 x i16>
  %61 = ashr <16 x i16> %wide.load, <i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2>
  %62 = sub nsw <16 x i16> %60, %61
  %63 = select <16 x i1> %52, <16 x i16> %58, <16 x i16> %62
  %64 = getelementptr i8, ptr %59, i64 1
  %wide.load19 = load <16 x i8>, ptr %64, align 1
  %65 = icmp ult <16 x i8> %wide.load18, %wide.load19
  %66 = zext <16 x i1> %65 to <16 x i16>
  %67 = add <16 x i16> %63, %66
  %68 = call <16 x i8> @llvm.umin.v16i8(<16 x i8> %wide.load18, <16 x i8> %wide.load19)
  %69 = zext <16 x i8> %68 to <16 x i16>
  %70 = add <16 x i16> %67, %69
  %71 = getelementptr i16, ptr %out, i64 %index
  store <16 x i16> %70, ptr %71, align 2
  %index.next = add nuw i64 %index, 16
  %72 = icmp eq i64 %index.next, %n.vec
  br i1 %72, label %middle.block, label %vector.body

middle.block:
  %cmp.n = icmp eq i64 %len5, %n.vec
  br i1 %cmp.n, label %leave, label %vec.epilog.iter.check

vec.epilog.iter.check:
  %min.epilog.iters.check.not.not = icmp eq i64 %n.mod.vf, 0
  br i1 %min.epilog.iters.check.not.not, label %loop.preheader, label %vec.epilog.ph

vec.epilog.ph:
  %vec.epilog.resume.val = phi i64 [ %n.vec, %vec.epilog.iter.check ], [ 0, %vector.main.loop.iter.check ]
  %n.vec21 = and i64 %len5, 9223372036854775800
  br label %vec.epilog.vector.body

vec.epilog.vector.body:
  %index22 = phi i64 [ %vec.epilog.resume.val, %vec.epilog.ph ], [ %index.next27, %vec.epilog.vector.body ]
  %73 = getelementptr i16, ptr %45, i64 %index22
  %wide.load23 = load <8 x i16>, ptr %73, align 2
  %74 = getelementptr i8, ptr %73, i64 2
  %wide.load24 = load <8 x i16>, ptr %74, align 2
  %75 = sub <8 x i16> %wide.load23, %wide.load24
  %76 = freeze <8 x i16> %75
  %77 = icmp slt <8 x i16> %76, %wide.load23
  %78 = ashr <8 x i16> %76, <i16 15, i16 15, i16 15, i16 15, i16 15, i16 15, i16 15, i16 15>
  %79 = xor <8 x i16> %76, %78
  %80 = udiv <8 x i16> %79, <i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3, i16 3>
  %81 = xor <8 x i16> %80, %78
  %82 = and <8 x i16> %76, <i16 7, i16 7, i16 7, i16 7, i16 7, i16 7, i16 7, i16 7>
  %83 = add <8 x i16> %81, %82
  %84 = getelementptr i8, ptr %47, i64 %index22
  %wide.load25 = load <8 x i8>, ptr %84, align 1
  %85 = zext <8 x i8> %wide.load25 to <8 x i16>
  %86 = ashr <8 x i16> %wide.load23, <i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2>
  %87 = sub nsw <8 x i16> %85, %86
  %88 = select <8 x i1> %77, <8 x i16> %83, <8 x i16> %87
  %89 = getelementptr i8, ptr %84, i64 1
  %wide.load26 = load <8 x i8>, ptr %89, align 1
  %90 = icmp ult <8 x i8> %wide.load25, %wide.load26
  %91 = zext <8 x i1> %90 to <8 x i16>
  %92 = add <8 x i16> %88, %91
  %93 = call <8 x i8> @llvm.umin.v8i8(<8 x i8> %wide.load25, <8 x i8> %wide.load26)
  %94 = zext <8 x i8> %93 to <8 x i16>
  %95 = add <8 x i16> %92, %94
  %96 = getelementptr i16, ptr %out, i64 %index22
  store <8 x i16> %95, ptr %96, align 2
  %index.next27 = add nuw i64 %index22, 8
  %97 = icmp eq i64 %index.next27, %n.vec21
  br i1 %97, label %vec.epilog.middle.block, label %vec.epilog.vector.body

vec.epilog.middle.block:
  %cmp.n28 = icmp eq i64 %len5, %n.vec21
  br i1 %cmp.n28, label %leave, label %loop.preheader

loop.preheader:
  %x.ph = phi i64 [ 0, %iter.check ], [ %n.vec, %vec.epilog.iter.check ], [ %n.vec21, %vec.epilog.middle.block ]
  br label %loop

loop:
  %x = phi i64 [ %122, %loop ], [ %x.ph, %loop.preheader ]
  %98 = getelementptr i16, ptr %45, i64 %x
  %in10 = load i16, ptr %98, align 2
  %99 = getelementptr i8, ptr %98, i64 2
  %in11 = load i16, ptr %99, align 2
  %100 = sub i16 %in10, %in11
  %101 = freeze i16 %100
  %102 = icmp slt i16 %101, %in10
  %103 = ashr i16 %101, 15
  %104 = xor i16 %101, %103
  %105 = udiv i16 %104, 3
  %106 = xor i16 %105, %103
  %107 = and i16 %101, 7
  %108 = add i16 %106, %107
  %109 = getelementptr i8, ptr %47, i64 %x
  %b14 = load i8, ptr %109, align 1
  %110 = zext i8 %b14 to i16
  %111 = ashr i16 %in10, 2
  %112 = sub nsw i16 %110, %111
  %113 = select i1 %102, i16 %108, i16 %112
  %114 = getelementptr i8, ptr %109, i64 1
  %b15 = load i8, ptr %114, align 1
  %115 = icmp ult i8 %b14, %b15
  %116 = zext i1 %115 to i16
  %117 = add i16 %113, %116
  %118 = call i8 @llvm.umin.i8(i8 %b14, i8 %b15)
  %119 = zext i8 %118 to i16
  %120 = add i16 %117, %119
  %121 = getelementptr i16, ptr %out, i64 %x
  store i16 %120, ptr %121, align 2
  %122 = add nuw nsw i64 %x, 1
  %exitcond.not = icmp eq i64 %122, %len5
  br i1 %exitcond.not, label %leave, label %loop
}

declare i8 @llvm.umin.i8(i8, i8)
declare <16 x i8> @llvm.umin.v16i8(<16 x i8>, <16 x i8>)
declare <8 x i8> @llvm.umin.v8i8(<8 x i8>, <8 x i8>)
